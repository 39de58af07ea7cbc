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
export interface Open extends SentCommand {
  /** Awakeables of the callers that wait for its result. */
  readonly askers: readonly string[]
}
export interface Taken {
  readonly open: readonly Open[]
  /** The latest attempt: the run executes there, and nowhere else. */
  readonly attempt?: string
  /** Heartbeats of clients whose pages are running a call. */
  readonly beats?: readonly Beat[]
}
export interface Beat {
  /** The id of the lease. */
  readonly lent: string
  readonly times: number
}
interface Box extends Taken {
  /** The results of the latest commands, for repeated requests. */
  readonly done: readonly { readonly id: string; readonly told: CommandResult }[]
  /** The invocation that was last notified, and how often. */
  readonly told?: { readonly invocation: string; readonly times: number }
}

export interface Put extends SentCommand {
  readonly asker: string
  /** The invocation in which the run executes. */
  readonly worksIn?: string
}
interface Done {
  readonly id: string
  readonly told: CommandResult
}

export type InboxHandlers = {
  put(ctx: ObjectContext, put: Put): Promise<void>
  take(ctx: ObjectSharedContext): Promise<Taken>
  enter(ctx: ObjectContext, attempt: string): Promise<Taken>
  done(ctx: ObjectContext, done: Done): Promise<void>
  beat(ctx: ObjectContext, lent: string): Promise<void>
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
      take: shared(async (ctx: ObjectSharedContext): Promise<Taken> => takenOf(await boxOf(ctx))),
      enter: enterAttempt,
      done: finishCommand,
      beat: countBeat,
      clear: clearBox,
    },
    options: objectOptions,
  })
}

const boxOf = async (ctx: ObjectContext | ObjectSharedContext): Promise<Box> => (await ctx.get<Box>('box')) ?? none

async function putCommand(ctx: ObjectContext, { asker, worksIn, ...asked }: Put, names: ServiceNames): Promise<void> {
  const box = await boxOf(ctx)
  const before = box.done.find(({ id }) => id === asked.id)
  if (before) return ctx.resolveAwakeable(asker, before.told)
  const known = box.open.find(({ id }) => id === asked.id)
  const entry: Open = { ...asked, askers: [...(known?.askers ?? []), asker] }
  const open = known ? box.open.map((each) => (each === known ? entry : each)) : [...box.open, entry]
  const told = worksIn === undefined ? undefined : { invocation: worksIn, times: timesTold(box, worksIn) + 1 }
  ctx.set('box', { ...box, open, ...(told && { told }) })
  if (told)
    ctx
      .invocation(told.invocation as InvocationId)
      .signal(newsName(told.times))
      .resolve()
  // An invocation without work ends at once: whatever became of the one that was notified, it is done.
  ctx.objectSendClient<WorkingHandlers>({ name: names.log }, ctx.key).work()
}

/** Records the attempt in which the run executes. Others that still believe that it executes with them find out here. */
async function enterAttempt(ctx: ObjectContext, attempt: string): Promise<Taken> {
  const box = { ...(await boxOf(ctx)), attempt }
  ctx.set('box', box)
  return takenOf(box)
}

async function finishCommand(ctx: ObjectContext, { id, told }: Done): Promise<void> {
  const box = await boxOf(ctx)
  const asked = box.open.find((open) => open.id === id)
  for (const asker of asked?.askers ?? []) ctx.resolveAwakeable(asker, told)
  const open = box.open.filter((each) => each.id !== id)
  const before = asked?.command.type === 'performed' ? withoutToolCall(box.done, asked.command.lent) : box.done
  ctx.set('box', { ...box, open, done: [...before, { id, told }].slice(-remembered) })
}

/** Records a heartbeat of a page's owner. Wakes nothing: its waiter polls. */
async function countBeat(ctx: ObjectContext, lent: string): Promise<void> {
  const box = await boxOf(ctx)
  const times = (box.beats?.find((each) => each.lent === lent)?.times ?? 0) + 1
  const others = box.beats?.filter((each) => each.lent !== lent) ?? []
  ctx.set('box', { ...box, beats: [...others, { lent, times }].slice(-remembered) })
}

/** Clears the inbox of a deleted run. */
async function clearBox(ctx: ObjectContext): Promise<void> {
  const { open } = await boxOf(ctx)
  const gone = new AgentError('run_unknown', `The run "${ctx.key}" was deleted.`)
  const told: CommandResult = { failure: toFailure(gone, 'run_unknown') }
  for (const { askers } of open) for (const asker of askers) ctx.resolveAwakeable(asker, told)
  ctx.clearAll()
}

const takenOf = ({ open, attempt, beats }: Box): Taken => ({
  open,
  ...(attempt !== undefined && { attempt }),
  ...(beats && { beats }),
})

/** Removes the call from the results once it is done. */
const withoutToolCall = (done: Box['done'], lent: string): Box['done'] =>
  done.map((each) =>
    each.id === lent && 'length' in each.told ? { id: lent, told: { length: each.told.length } } : each,
  )

/** Returns the name of a signal, since each name is sent once. */
export const newsName = (times: number): string => `news ${times}`

const timesTold = ({ told }: Box, invocation: string): number => (told?.invocation === invocation ? told.times : 0)
