import { allowedBy, isForGood, withAllowed } from '../allowed.ts'
import { isBegun, unapproved } from '../call.ts'
import type { Json } from '../json.ts'
import { type Changes, changeCall, type EventOf, latestTurn, type Next, type RunState } from '../state.ts'
import { ask, reply } from './questions.ts'

/** The changes of permissions, which replies to approvals grant for later calls. */
export const permissionChanges: Changes = {
  replied: (state, { ask: id, value, at }, before) => grant(state, { id, value, at }, before),
  allowed: allow,
  disallowed: disallow,
}

interface Granting {
  readonly id: string
  readonly value: Json
  readonly at: number
}

/** Adds the permission that a reply grants. One for good is in a store of its own. */
function grant(state: Next, { id, value, at }: Granting, { asks }: RunState): void {
  const asked = asks.find((open) => open.id === id)
  const allowed = !asked || state.parent || isForGood(value) ? undefined : allowedBy({ ask: asked, value, at })
  if (allowed) state.allowed = withAllowed(state.allowed, allowed)
}

/** Applies a question that an earlier reply answers: as if it were asked, and approved at once. */
function allow(state: Next, { ask: asked, by, at }: EventOf<'allowed'>): void {
  ask(state, asked)
  reply(state, { ask: asked.id, value: { approved: true }, at })
  if (asked.call !== undefined && !asked.from) changeCall(state, asked.call, (call) => ({ ...call, allowed: by }))
}

/** Removes a permission, also from calls that it allowed and that have not started. */
function disallow(state: Next, { id }: EventOf<'disallowed'>): void {
  state.allowed = state.allowed?.filter((allowed) => allowed.id !== id)
  for (const call of latestTurn(state)?.calls ?? [])
    if (call.allowed === id && !isBegun(call)) changeCall(state, call.key, unapproved)
}
