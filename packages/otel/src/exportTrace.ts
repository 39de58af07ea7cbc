import type { Event, RunState } from '@interleave/core'
import {
  assertOption,
  checkEvents,
  checkOptions,
  checkRunFile,
  checkWholeFile,
  initialState,
  reduce,
} from '@interleave/core/internal'
import type { RunFile } from '@interleave/core/observe'
import { type Context, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import { type OtelOptions, Traces } from './otel.ts'

export interface ExportTraceOptions extends Pick<OtelOptions, 'content' | 'maxLength'> {
  /** The parent context of the run's spans; none by default. */
  context?: Context
}

/**
 * Exports the trace of a run that is over, from its log or its file, with the times of its events. A file also has the
 * child runs. Streaming and retries are not in a log.
 *
 * @example
 * exportTrace(await exportRun(journal, runId), tracer)
 */
export function exportTrace(from: readonly Event[] | RunFile, tracer: Tracer, options: ExportTraceOptions = {}): void {
  checkOptions('exportTrace()', options, ['content', 'maxLength', 'context'])
  assertOption(
    Array.isArray(from) || 'format' in Object(from),
    'exportTrace() needs the log of a run, or the file that exportRun() returns, as its first argument.',
  )
  if (Array.isArray(from)) checkEvents(from, 'exportTrace()')
  assertOption(typeof Object(tracer).startSpan === 'function', 'exportTrace() needs a tracer as its second argument.')
  const { context = ROOT_CONTEXT } = options
  let now = 0
  const traces = new Traces(tracer, { ...options, now: () => now }, () => context)
  const states = new Map<readonly Event[], RunState>()
  for (const { log, event, at } of inOrder(logsOf(from))) {
    now = at
    const state = reduce(states.get(log) ?? initialState, event)
    states.set(log, state)
    traces.of(state.runId).receive(event, state)
  }
  // A child run ends before the call that it works for.
  for (const { runId } of [...states.values()].reverse()) traces.of(runId).close(now)
}

type Log = readonly Event[]

function logsOf(from: Log | RunFile): readonly Log[] {
  if (!('format' in from)) return [from]
  const { events, below } = from.thoughts === false ? checkRunFile(from) : checkWholeFile(from)
  return [events, ...below]
}

interface Placed {
  readonly log: Log
  readonly event: Event
  /** The time of the event, no earlier than its cause. Clocks differ, and may be set back. */
  readonly at: number
}

/**
 * Returns the events of all logs by time. In the same millisecond, which may be a whole turn, a parent's come first. But
 * a child run begins after the call that it works for, and is over before its result.
 */
function inOrder(logs: readonly Log[]): readonly Placed[] {
  const called = new Set(logs.flatMap((log) => log.map((event) => callOf(log, event, 'claimed'))))
  const below = new Map<string | undefined, Log[]>()
  for (const log of logs) {
    const work = called.has(workOf(log)) ? workOf(log) : undefined
    const others = below.get(work)
    if (others) others.push(log)
    else below.set(work, [log])
  }
  return byTime((below.get(undefined) ?? []).map((log) => withChildren(log, below)))
}

/** Returns the events of a log, with those of the child runs of its calls. */
function withChildren(log: Log, below: ReadonlyMap<string | undefined, readonly Log[]>): readonly Placed[] {
  const order: Placed[] = []
  const ends = new Map<string | undefined, number>()
  let waiting: readonly Placed[] = []
  let placed = 0
  let at = 0
  for (const event of log) {
    const end = ends.get(callOf(log, event, 'observed'))
    at = Math.max(at, event.at, end ?? 0)
    for (let child = waiting[placed]; child && (child.at < at || child.at === end); child = waiting[++placed])
      order.push(child)
    order.push({ log, event, at })
    const call = callOf(log, event, 'claimed')
    const children = (call !== undefined && below.get(call)) || []
    if (children.length === 0) continue
    const parts = children.map((child) => withChildren(child, below))
    const flat = byTime(parts, at)
    ends.set(call, flat.at(-1)?.at ?? at)
    waiting = byTime([waiting.slice(placed), flat])
    placed = 0
  }
  return [...order, ...waiting.slice(placed)]
}

/** Merges events by time; none is before `from`. */
const byTime = (parts: readonly (readonly Placed[])[], from = 0): readonly Placed[] =>
  parts
    .flat()
    .map((each) => (each.at < from ? { ...each, at: from } : each))
    .toSorted((a, b) => a.at - b.at)

/** Returns the call of an event of this type, by its path. */
const callOf = ([first]: Log, event: Event, type: 'claimed' | 'observed'): string | undefined =>
  first?.type === 'started' && event.type === type ? `${first.runId}/${event.call}` : undefined

/** Returns the call that a child run works for. */
const workOf = ([first]: Log): string | undefined =>
  first?.type === 'started' && first.parent ? `${first.parent.runId}/${first.parent.key}` : undefined

/** Generates ids for the `idGenerator` of a tracer provider. */
export interface TraceIds {
  generateTraceId(): string
  generateSpanId(): string
}

/**
 * Returns a generator of ids that gives the same ids for the same seed, so that a log that is exported twice is one
 * trace. Use a separate provider for each export.
 *
 * @example
 * const provider = new TracerProvider({ idGenerator: traceIds(runId), spanProcessors })
 */
export function traceIds(seed: string): TraceIds {
  let count = 0
  const next = (words: number): string => {
    const name = `${seed}\n${count++}`
    let id = ''
    for (let word = 0; word < words; word++) id += hash(name, word).toString(16).padStart(8, '0')
    return /[^0]/.test(id) ? id : `${id.slice(1)}1`
  }
  return { generateTraceId: () => next(4), generateSpanId: () => next(2) }
}

/** Hashes a text: 32 bits of FNV-1a, well mixed, so that consecutive inputs have unrelated values. */
function hash(text: string, seed: number): number {
  let value = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
