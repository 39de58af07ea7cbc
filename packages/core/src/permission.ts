import { isObject, type Json } from './json.ts'
import { type ApprovalReply, type Ask, mayRemember, type PermissionScope } from './question.ts'

/** A question for approval. */
export type ApprovalAsk = Extract<Ask, { readonly kind: 'approval' }>

/** A permission that a user gave with a reply, for later calls. Remove it with `run.revoke(id)`. */
export interface Permission {
  readonly id: string
  /** All calls of this tool, or those with this input. */
  readonly scope: PermissionScope
  /** The question, as the user saw it. It has the tool, and the child run that asked. */
  readonly ask: ApprovalAsk
  /** The input that was approved: the one of the question, or as the user changed it. */
  readonly input: Json
  readonly at: number
}

/** The maximum number of permissions in a run. A call whose permission was dropped is asked about again. */
const most = 100

export interface Replied {
  readonly ask: Ask
  readonly value: Json
  readonly at: number
}

/** Returns the permission that a reply grants, if there is one. */
export function permissionBy({ ask, value, at }: Replied): Permission | undefined {
  const { approved, remember: scope, input } = Object(value) as Partial<Extract<ApprovalReply, { approved: true }>>
  if (ask.kind !== 'approval' || approved !== true || scope === undefined || !mayRemember(ask, scope)) return undefined
  return { id: ask.id, scope, ask, input: input ?? ask.input, at }
}

/** Returns the part of an input that must be the same for a permission: all of it, if it lacks a key of `rememberBy`. */
export function comparedInput({ rememberBy }: Pick<ApprovalAsk, 'rememberBy'>, input: Json): Json {
  if (!rememberBy || !isObject(input) || !rememberBy.every((key) => Object.hasOwn(input, key))) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => rememberBy.includes(key))) as Json
}

/** Returns true for a reply whose permission outlives the run. `rememberPermissions()` stores it, and the state does not. */
export const isPersistent = (reply: Json): boolean =>
  (Object(reply) as { readonly persistent?: unknown }).persistent === true

/** Returns the permissions with one more. One for all calls of a tool replaces the one before. */
export const withPermission = (all: readonly Permission[] | undefined, added: Permission): readonly Permission[] =>
  [...(all ?? []).filter((one) => added.scope !== 'tool' || !isReplaced(one, added)), added].slice(-most)

/** Returns the agent of the child run that asks, and the tools that called it: two agents may have the same name. */
export const originOf = (from: Ask['from']): string => (from ? JSON.stringify([from.agent, from.via]) : '')

const isReplaced = ({ scope, ask }: Permission, { ask: added }: Permission): boolean =>
  scope === 'tool' &&
  ask.tool === added.tool &&
  ask.agent === added.agent &&
  originOf(ask.from) === originOf(added.from)
