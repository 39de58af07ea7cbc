import { AgentError, type Event } from '@interleave/core'
import { noSummary, summarize, toFailure } from '@interleave/core/internal'
import type { RunSummary } from '@interleave/core/journal'
import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import type { InboxHandlers, Put } from './inboxObject.ts'
import { objectOptions, type RestateSdk, type ServiceNames } from './sdk.ts'
import { type CommandResult, checkInput, type SentCommand, type WorkingHandlers } from './sentCommand.ts'

/** The data that a write to a log needs, in one small value: the earlier events are in pages elsewhere. */
export interface Head {
  readonly length: number
  /** The epoch of the latest claim. It stays when the log is deleted, so that no later claim gets it again. */
  readonly epoch: number
  /** The position at which each page begins. */
  readonly pages: readonly number[]
  /** The events after the last page. */
  readonly tail: readonly Event[]
  readonly summary: RunSummary
  /** The id of the latest append, which may be repeated for lack of a response. */
  readonly last?: string
  /** The invocation in which the run executes. */
  readonly invocation?: string
}

export const noHead: Head = { length: 0, epoch: 0, pages: [], tail: [], summary: noSummary }

/** The maximum characters of a page's JSON. A longer page is closed. */
const pageChars = 16_384

interface Grown {
  readonly head: Head
  /** The events that exceed the head. */
  readonly page?: LogPage
}

/** Returns the data to store when a log continues with these events. */
export function grow(head: Head, events: readonly Event[]): Grown {
  const tail = [...head.tail, ...events]
  const begin = head.length - head.tail.length
  const isFull = JSON.stringify(tail).length > pageChars
  return {
    head: {
      ...head,
      length: head.length + events.length,
      pages: isFull ? [...head.pages, begin] : head.pages,
      tail: isFull ? [] : tail,
      summary: summarize(head.length > 0 ? head.summary : noSummary, events),
    },
    ...(isFull && { page: { from: begin, events: tail } }),
  }
}

export interface LogPage {
  readonly from: number
  readonly events: readonly Event[]
}

type PagesHandlers = {
  put(ctx: ObjectContext, page: LogPage): Promise<void>
  clear(ctx: ObjectContext): Promise<void>
  get(ctx: ObjectSharedContext, from: number): Promise<readonly Event[] | null>
}
export type PagesObject = VirtualObjectDefinition<string, PagesHandlers>

/** Stores the earlier events of a log, apart from its end, so that the data of each append stays small. */
export function pagesObject({ object, handlers }: RestateSdk, names: ServiceNames): PagesObject {
  return object({
    name: names.pages,
    handlers: {
      put: async (ctx: ObjectContext, { from, events }: LogPage): Promise<void> => ctx.set(`${from}`, events),
      clear: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
      /** Returns null for a page that is still being sent. */
      get: handlers.object.shared(
        async (ctx: ObjectSharedContext, from: number): Promise<readonly Event[] | null> => ctx.get(`${from}`),
      ),
    },
    // A page is read alone: no other state of the object is sent along.
    options: { ...objectOptions, enableLazyState: true },
  })
}

export interface Appended {
  readonly id: string
  readonly events: readonly Event[]
  readonly epoch?: number
}
/** The length of the log; with the reason if events were rejected. */
export interface AppendResult {
  readonly length: number
  readonly refused?: 'length' | 'epoch'
}
export interface ClaimResult extends AppendResult {
  readonly epoch?: number
}
export interface LogView {
  readonly length: number
  readonly pages: readonly number[]
  readonly tail: readonly Event[]
  readonly summary: RunSummary
  /** True if an invocation holds the log and rejects other writers. */
  readonly isHeld: boolean
}
export type LogHandlers = {
  append(ctx: ObjectContext, input: Appended): Promise<AppendResult>
  claim(ctx: ObjectContext, length: number): Promise<ClaimResult>
  remove(ctx: ObjectContext): Promise<void>
  look(ctx: ObjectSharedContext, from: number): Promise<LogView>
  ask(ctx: ObjectSharedContext, command: SentCommand): Promise<CommandResult>
} & WorkingHandlers

export type LogObject = VirtualObjectDefinition<string, LogHandlers>

export interface LogObjectOptions {
  readonly names: ServiceNames
  readonly working: WorkingHandlers
  /** The maximum milliseconds of a handler in which runs execute. */
  readonly longestMs?: number
}

/** Stores the log of a run. It has one writer at a time, and accepts only events that follow. */
export function logObject(sdk: RestateSdk, { names, working, longestMs }: LogObjectOptions): LogObject {
  const append = async (ctx: ObjectContext, appended: Appended): Promise<AppendResult> => {
    checkInput('append', appended, sdk)
    const { id, events, epoch } = appended
    const head = await headOf(ctx)
    const { length } = head
    if (head.last === id) return { length }
    if (events[0]?.seq !== length) return { length, refused: 'length' }
    if (epoch !== undefined && epoch !== head.epoch) return { length, refused: 'epoch' }
    return { length: storeEvents(ctx, { head, events, names, last: id }).length }
  }

  const claim = async (ctx: ObjectContext, length: number): Promise<ClaimResult> => {
    checkInput('claim', length, sdk)
    const head = await headOf(ctx)
    if (head.length !== length) return { length: head.length, refused: 'length' }
    ctx.set('head', { ...head, epoch: head.epoch + 1 })
    return { length, epoch: head.epoch + 1 }
  }

  const look = async (ctx: ObjectSharedContext, from: number): Promise<LogView> => {
    const { length, pages, tail, summary, invocation } = await headOf(ctx)
    return {
      length,
      pages,
      tail: from < length ? tail : [],
      summary,
      isHeld: invocation !== undefined,
    }
  }

  /** Sends a command to the inbox and waits for its result. */
  const ask = async (ctx: ObjectSharedContext, sent: SentCommand): Promise<CommandResult> => {
    checkInput('ask', sent, sdk)
    const { invocation, summary } = await headOf(ctx)
    if (summary.parent) return { failure: toFailure(inParent(ctx.key, summary.parent.runId), 'not_allowed') }
    const { id, promise } = ctx.awakeable<CommandResult>()
    const put: Put = { ...sent, awakeable: id, ...(invocation !== undefined && { invocation }) }
    ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).put(put)
    return promise
  }

  const remove = async (ctx: ObjectContext): Promise<void> => {
    const { epoch } = await headOf(ctx)
    ctx.set('head', { ...noHead, epoch })
    ctx.clear('summary')
    ctx.objectSendClient<PagesHandlers>({ name: names.pages }, ctx.key).clear()
    ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).clear()
  }

  const { shared } = sdk.handlers.object
  const { inactivityTimeout } = objectOptions
  return sdk.object({
    name: names.log,
    handlers: { append, claim, remove, look: shared(look), ask: shared({ inactivityTimeout }, ask), ...working },
    // While a model thinks, Restate receives nothing, and must not count that as a process that hangs.
    options: { ...objectOptions, ...(longestMs && { inactivityTimeout: longestMs, abortTimeout: longestMs }) },
  })
}

/** Creates the error of a command to a child run: a second invocation would write to its log independently. */
const inParent = (runId: string, above: string): AgentError =>
  new AgentError(
    'not_allowed',
    `The run ${runId} is a child of ${above}. Send the command to that run: it has the questions of its children.`,
  )

export const headOf = async (ctx: ObjectContext | ObjectSharedContext): Promise<Head> =>
  (await ctx.get<Head>('head')) ?? noHead

export interface StoreOptions {
  readonly head: Head
  readonly events: readonly Event[]
  readonly names: ServiceNames
  /** Identifies this append. */
  readonly last?: string
}

/** Stores these events for readers. */
export function storeEvents(ctx: ObjectContext, { head, events, names, last }: StoreOptions): Head {
  const { head: grown, page } = grow(head, events)
  const next: Head = { ...grown, summary: { ...grown.summary, runId: ctx.key }, ...(last !== undefined && { last }) }
  if (page) ctx.objectSendClient<PagesHandlers>({ name: names.pages }, ctx.key).put(page)
  ctx.set('head', next)
  // A run without events is in no list.
  if (next.length > 0) ctx.set('summary', next.summary)
  return next
}
