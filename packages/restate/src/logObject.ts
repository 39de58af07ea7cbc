import type { Event } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { noSummary, summarize } from '@interleave/core/place'
import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { objectOptions } from './objectOptions.ts'
import type { PagesHandlers } from './pagesObject.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'

/** All that is needed to write, in one small value: the earlier events are in pages elsewhere. */
interface Head {
  readonly length: number
  /** That of the latest claim. It is kept when the log is deleted, so that no later claim has it again. */
  readonly epoch: number
  /** Where each page begins. */
  readonly pages: readonly number[]
  /** The events after the last page. */
  readonly tail: readonly Event[]
  readonly summary: RunSummary
  /** Names the latest append, which may be asked for again by who did not hear that it was done. */
  readonly last?: string
  /** Awakeables of those who wait for more. */
  readonly watchers: readonly string[]
}

export interface Appended {
  readonly id: string
  readonly events: readonly Event[]
  readonly epoch?: number
}
/** How long the log is then; with what does not fit, if it was not taken. */
export interface Answered {
  readonly length: number
  readonly refused?: 'length' | 'epoch'
}
export interface Shown {
  readonly length: number
  readonly pages: readonly number[]
  readonly tail: readonly Event[]
  readonly summary: RunSummary
}
export interface Followed {
  readonly from: number
  readonly ms: number
}

export interface Claimed extends Answered {
  readonly epoch?: number
}
interface Watching {
  readonly id: string
  readonly from: number
}

/** What may be asked of it. */
export type LogHandlers = {
  append(ctx: ObjectContext, input: Appended): Promise<Answered>
  claim(ctx: ObjectContext, length: number): Promise<Claimed>
  remove(ctx: ObjectContext): Promise<void>
  watch(ctx: ObjectContext, input: Watching): Promise<void>
  look(ctx: ObjectSharedContext, from: number): Promise<Shown>
  follow(ctx: ObjectSharedContext, input: Followed): Promise<null>
}
export type LogObject = VirtualObjectDefinition<string, LogHandlers>

const none: Head = { length: 0, epoch: 0, pages: [], tail: [], summary: noSummary, watchers: [] }
/** A page is closed when its JSON has so many characters. */
const pageChars = 16_384
const mostWatchers = 100

/** The log of a run. Only one append at a time, and none that does not follow. */
export function logObject(sdk: RestateSdk, names: ServiceNames): LogObject {
  const headOf = async (ctx: ObjectContext | ObjectSharedContext): Promise<Head> =>
    (await ctx.get<Head>('head')) ?? none

  const append = async (ctx: ObjectContext, { id, events, epoch }: Appended): Promise<Answered> => {
    const head = await headOf(ctx)
    const { length } = head
    if (head.last === id) return { length }
    if (events[0]?.seq !== length) return { length, refused: 'length' }
    if (epoch !== undefined && epoch !== head.epoch) return { length, refused: 'epoch' }
    const tail = [...head.tail, ...events]
    const isFull = JSON.stringify(tail).length > pageChars
    const begin = length - head.tail.length
    if (isFull) ctx.objectSendClient<PagesHandlers>({ name: names.pages }, ctx.key).put({ from: begin, events: tail })
    for (const watcher of head.watchers) ctx.resolveAwakeable(watcher)
    const summary = { ...summarize(length > 0 ? head.summary : noSummary, events), runId: ctx.key }
    const next: Head = {
      ...{ length: length + events.length, epoch: head.epoch, summary, last: id, watchers: [] },
      pages: isFull ? [...head.pages, begin] : head.pages,
      tail: isFull ? [] : tail,
    }
    ctx.set('head', next)
    ctx.set('summary', summary)
    return { length: next.length }
  }

  const claim = async (ctx: ObjectContext, length: number): Promise<Claimed> => {
    const head = await headOf(ctx)
    if (head.length !== length) return { length: head.length, refused: 'length' }
    ctx.set('head', { ...head, epoch: head.epoch + 1 })
    return { length, epoch: head.epoch + 1 }
  }

  const look = async (ctx: ObjectSharedContext, from: number): Promise<Shown> => {
    const { length, pages, tail, summary } = await headOf(ctx)
    return { length, pages, tail: from < length ? tail : [], summary }
  }

  const remove = async (ctx: ObjectContext): Promise<void> => {
    const { epoch, watchers } = await headOf(ctx)
    for (const watcher of watchers) ctx.resolveAwakeable(watcher)
    ctx.set('head', { ...none, epoch })
    ctx.clear('summary')
    ctx.objectSendClient<PagesHandlers>({ name: names.pages }, ctx.key).clear()
  }

  /** Answers when the log is longer, or after a while. */
  const follow = async (ctx: ObjectSharedContext, { from, ms }: Followed): Promise<null> => {
    const { length } = await headOf(ctx)
    if (length > from) return null
    const { id, promise } = ctx.awakeable<void>()
    ctx.objectSendClient<LogHandlers>({ name: names.log }, ctx.key).watch({ id, from })
    try {
      await promise.orTimeout(ms)
    } catch (error) {
      if (!(error instanceof sdk.TimeoutError)) throw error
    }
    return null
  }

  const watch = async (ctx: ObjectContext, { id, from }: Watching): Promise<void> => {
    const head = await headOf(ctx)
    if (head.length > from) return ctx.resolveAwakeable(id)
    const watchers = [...head.watchers, id]
    // Those who wait longest ask again.
    for (const oldest of watchers.splice(0, Math.max(0, watchers.length - mostWatchers))) ctx.resolveAwakeable(oldest)
    ctx.set('head', { ...head, watchers })
  }

  const { shared } = sdk.handlers.object
  return sdk.object({
    name: names.log,
    handlers: { append, claim, remove, watch, look: shared(look), follow: shared(follow) },
    options: objectOptions,
  })
}
