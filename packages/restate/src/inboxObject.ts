import { AgentError } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import type {
  InvocationId,
  ObjectContext,
  ObjectSharedContext,
  VirtualObjectDefinition,
} from '@restatedev/restate-sdk/fetch'
import { objectOptions, type RestateSdk, type ServiceNames } from './sdk.ts'
import type { CommandResult, SentCommand, WorkingHandlers } from './sentCommand.ts'

/** A command that is not done yet. */
export interface OpenCommand extends SentCommand {
  /** Awakeables of the callers that wait for its result. */
  readonly awakeables: readonly string[]
}
export interface InboxState {
  readonly open: readonly OpenCommand[]
  /** The latest attempt: the run executes there, and nowhere else. */
  readonly attempt?: string
  /** Heartbeats of clients whose pages are running a call. */
  readonly heartbeats?: readonly Heartbeat[]
}
export interface Heartbeat {
  readonly lease: string
  readonly times: number
}
interface Box extends InboxState {
  /** The results of the latest commands, for repeated requests. */
  readonly done: readonly { readonly id: string; readonly result: CommandResult }[]
  /** The invocation that was last notified, and how often. */
  readonly notified?: { readonly invocation: string; readonly times: number }
}

export interface Put extends SentCommand {
  readonly awakeable: string
  /** The invocation in which the run executes. */
  readonly invocation?: string
}
interface Done {
  readonly id: string
  readonly result: CommandResult
}

export type InboxHandlers = {
  put(ctx: ObjectContext, put: Put): Promise<void>
  take(ctx: ObjectSharedContext): Promise<InboxState>
  enter(ctx: ObjectContext, attempt: string): Promise<InboxState>
  done(ctx: ObjectContext, done: Done): Promise<void>
  heartbeat(ctx: ObjectContext, lease: string): Promise<void>
  clear(ctx: ObjectContext): Promise<void>
}
export type InboxObject = VirtualObjectDefinition<string, InboxHandlers>

const none: Box = { open: [], done: [] }
const remembered = 50

/** Stores the commands to a run until they are done. If a process dies, the next one applies them. */
export function inboxObject(sdk: RestateSdk, names: ServiceNames): InboxObject {
  const { shared } = sdk.handlers.object
  return sdk.object({
    name: names.inbox,
    handlers: {
      put: (ctx: ObjectContext, put: Put): Promise<void> => putCommand(ctx, put, names),
      take: shared(async (ctx: ObjectSharedContext): Promise<InboxState> => stateOf(await boxOf(ctx))),
      enter: enterAttempt,
      done: finishCommand,
      heartbeat: countHeartbeat,
      clear: clearBox,
    },
    options: objectOptions,
  })
}

const boxOf = async (ctx: ObjectContext | ObjectSharedContext): Promise<Box> => (await ctx.get<Box>('box')) ?? none

async function putCommand(
  ctx: ObjectContext,
  { awakeable, invocation, ...sent }: Put,
  names: ServiceNames,
): Promise<void> {
  const box = await boxOf(ctx)
  const before = box.done.find(({ id }) => id === sent.id)
  if (before) return ctx.resolveAwakeable(awakeable, before.result)
  const known = box.open.find(({ id }) => id === sent.id)
  const entry: OpenCommand = { ...sent, awakeables: [...(known?.awakeables ?? []), awakeable] }
  const open = known ? box.open.map((each) => (each === known ? entry : each)) : [...box.open, entry]
  const times = box.notified?.invocation === invocation ? (box.notified?.times ?? 0) + 1 : 1
  const notified = invocation === undefined ? undefined : { invocation, times }
  ctx.set('box', { ...box, open, ...(notified && { notified }) })
  if (invocation !== undefined)
    ctx
      .invocation(invocation as InvocationId)
      .signal(commandSignal(times))
      .resolve()
  // The notified invocation may have ended, so another one is started. Without work, it ends at once.
  ctx.objectSendClient<WorkingHandlers>({ name: names.log }, ctx.key).work()
}

/** Records the attempt in which the run executes. Stale attempts notice it here. */
async function enterAttempt(ctx: ObjectContext, attempt: string): Promise<InboxState> {
  const box = { ...(await boxOf(ctx)), attempt }
  ctx.set('box', box)
  return stateOf(box)
}

async function finishCommand(ctx: ObjectContext, { id, result }: Done): Promise<void> {
  const box = await boxOf(ctx)
  const entry = box.open.find((open) => open.id === id)
  for (const awakeable of entry?.awakeables ?? []) ctx.resolveAwakeable(awakeable, result)
  const open = box.open.filter((each) => each.id !== id)
  const before = entry?.command.type === 'result' ? withoutToolCall(box.done, entry.command.lease) : box.done
  ctx.set('box', { ...box, open, done: [...before, { id, result }].slice(-remembered) })
}

/** Records a heartbeat of a page's owner. Wakes nothing: its waiter polls. */
async function countHeartbeat(ctx: ObjectContext, lease: string): Promise<void> {
  const box = await boxOf(ctx)
  const times = (box.heartbeats?.find((each) => each.lease === lease)?.times ?? 0) + 1
  const others = box.heartbeats?.filter((each) => each.lease !== lease) ?? []
  ctx.set('box', { ...box, heartbeats: [...others, { lease, times }].slice(-remembered) })
}

/** Clears the inbox of a deleted run. */
async function clearBox(ctx: ObjectContext): Promise<void> {
  const { open } = await boxOf(ctx)
  const deleted = new AgentError('run_unknown', `The run "${ctx.key}" was deleted.`)
  const result: CommandResult = { failure: toFailure(deleted, 'run_unknown') }
  for (const { awakeables } of open) for (const awakeable of awakeables) ctx.resolveAwakeable(awakeable, result)
  ctx.clearAll()
}

const stateOf = ({ open, attempt, heartbeats }: Box): InboxState => ({
  open,
  ...(attempt !== undefined && { attempt }),
  ...(heartbeats && { heartbeats }),
})

/** Removes the call from the results once it is done. */
const withoutToolCall = (done: Box['done'], lease: string): Box['done'] =>
  done.map((each) =>
    each.id === lease && 'length' in each.result ? { id: lease, result: { length: each.result.length } } : each,
  )

/** Returns the name of the signal for one notification: each name is used once. */
export const commandSignal = (times: number): string => `command ${times}`
