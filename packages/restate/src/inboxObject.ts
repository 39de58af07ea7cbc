import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import type { Asked, Told } from './asked.ts'
import { objectOptions } from './objectOptions.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'
import type { WorkingHandlers } from './workingHandlers.ts'

/** What is asked and not done yet. */
export interface Open extends Asked {
  readonly place: number
  /** Awakeables of those who wait for what comes of it. */
  readonly askers: readonly string[]
}
export interface Taken {
  readonly next: number
  readonly open: readonly Open[]
  /** Whoever entered last: the run works there, and nowhere else. */
  readonly attempt?: string
}
interface Box extends Taken {
  /** What came of the latest, for those who ask again. */
  readonly done: readonly { readonly id: string; readonly told: Told }[]
  /** The awakeable of the place that the run works in. */
  readonly listener?: string
}
export interface Listening {
  /** What is in places before is known. */
  readonly from: number
  readonly ms: number
}

interface Put extends Asked {
  readonly asker: string
}
interface Done {
  readonly id: string
  readonly told: Told
}
interface Hearing {
  readonly id: string
  readonly from: number
}

/** What may be asked of it. */
export type InboxHandlers = {
  ask(ctx: ObjectSharedContext, asked: Asked): Promise<Told>
  put(ctx: ObjectContext, put: Put): Promise<void>
  take(ctx: ObjectSharedContext): Promise<Taken>
  enter(ctx: ObjectContext, attempt: string): Promise<Taken>
  done(ctx: ObjectContext, done: Done): Promise<void>
  listen(ctx: ObjectSharedContext, listening: Listening): Promise<null>
  hear(ctx: ObjectContext, hearing: Hearing): Promise<void>
}
export type InboxObject = VirtualObjectDefinition<string, InboxHandlers>

const none: Box = { next: 0, open: [], done: [] }
const remembered = 50

/** What is asked of a run, until it is done. Whoever asks has it done by the next process if this one dies. */
export function inboxObject(sdk: RestateSdk, names: ServiceNames): InboxObject {
  const boxOf = async (ctx: ObjectContext): Promise<Box> => (await ctx.get<Box>('box')) ?? none

  /** Answers when it is done. */
  const ask = async (ctx: ObjectSharedContext, asked: Asked): Promise<Told> => {
    const { id, promise } = ctx.awakeable<Told>()
    ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).put({ ...asked, asker: id })
    return promise
  }

  const put = async (ctx: ObjectContext, { asker, ...asked }: Put): Promise<void> => {
    const { listener, ...box } = await boxOf(ctx)
    const before = box.done.find(({ id }) => id === asked.id)
    if (before) return ctx.resolveAwakeable(asker, before.told)
    const known = box.open.find(({ id }) => id === asked.id)
    const entry: Open = known
      ? { ...known, askers: [...known.askers, asker] }
      : { ...asked, place: box.next, askers: [asker] }
    const open = [...box.open.filter((each) => each !== known), entry]
    ctx.set('box', { ...box, open, next: Math.max(box.next, entry.place + 1) })
    if (listener !== undefined) ctx.resolveAwakeable(listener)
    // One that finds nothing to do ends at once, so nobody has to know whether the run works.
    ctx.objectSendClient<WorkingHandlers>({ name: names.log }, ctx.key).work()
  }

  const take = async (ctx: ObjectSharedContext): Promise<Taken> => {
    return takenOf((await ctx.get<Box>('box')) ?? none)
  }

  /** Whoever has a run work says so: others who still believe that it works with them learn of it. */
  const enter = async (ctx: ObjectContext, attempt: string): Promise<Taken> => {
    const box = { ...(await boxOf(ctx)), attempt }
    ctx.set('box', box)
    return takenOf(box)
  }

  const done = async (ctx: ObjectContext, { id, told }: Done): Promise<void> => {
    const box = await boxOf(ctx)
    for (const { askers } of box.open.filter((open) => open.id === id)) {
      for (const asker of askers) ctx.resolveAwakeable(asker, told)
    }
    const open = box.open.filter((each) => each.id !== id)
    ctx.set('box', { ...box, open, done: [...box.done, { id, told }].slice(-remembered) })
  }

  /** Answers when there is something new, or after a while. */
  const listen = async (ctx: ObjectSharedContext, { from, ms }: Listening): Promise<null> => {
    const { id, promise } = ctx.awakeable<void>()
    ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).hear({ id, from })
    try {
      await promise.orTimeout(ms)
    } catch (error) {
      if (!(error instanceof sdk.TimeoutError)) throw error
    }
    return null
  }

  const hear = async (ctx: ObjectContext, { id, from }: Hearing): Promise<void> => {
    const { listener, ...box } = await boxOf(ctx)
    // There is one place that a run works in. What listened before is gone.
    if (listener !== undefined) ctx.resolveAwakeable(listener)
    const isNews = box.next > from
    if (isNews) ctx.resolveAwakeable(id)
    ctx.set('box', isNews ? box : { ...box, listener: id })
  }

  const { shared } = sdk.handlers.object
  return sdk.object({
    name: names.inbox,
    handlers: { ask: shared(ask), put, take: shared(take), enter, done, listen: shared(listen), hear },
    options: objectOptions,
  })
}

const takenOf = ({ next, open, attempt }: Box): Taken => ({ next, open, ...(attempt !== undefined && { attempt }) })
