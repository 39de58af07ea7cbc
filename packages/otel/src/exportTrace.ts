import type { Event, RunState } from '@interleave/core'
import {
  assertOption,
  checkRunFile,
  checkWholeFile,
  initialState,
  type KnownOptions,
  refuseUnknown,
} from '@interleave/core/internal'
import { type RunFile, reduce } from '@interleave/core/observe'
import { type Context, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api'
import { type OtelOptions, Traces, tracingOf } from './otel.ts'

export interface ExportTraceOptions extends Pick<OtelOptions, 'content' | 'maxLength'> {
  /** The context that the spans of the run belong to; none by default. */
  context?: Context
}

const exportOptions: KnownOptions<ExportTraceOptions> = { content: true, maxLength: true, context: true }

/**
 * Exports the trace of a run that is over, from its log or its file, with the times of its events. A file also has the
 * child runs. Streaming and retries are not in a log.
 *
 * @example
 * exportTrace(await exportRun(journal, runId), tracer)
 */
export function exportTrace(from: readonly Event[] | RunFile, tracer: Tracer, options: ExportTraceOptions = {}): void {
  refuseUnknown('exportTrace()', options, exportOptions)
  assertOption(typeof Object(tracer).startSpan === 'function', 'exportTrace() needs a tracer as its second argument.')
  const { context = ROOT_CONTEXT } = options
  let now = 0
  const traces = new Traces(tracingOf(tracer, { ...options, now: () => now }), () => context)
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

function logsOf(from: readonly Event[] | RunFile): readonly (readonly Event[])[] {
  if (!('format' in from)) return [from]
  const { events, below } = from.thoughts === false ? checkRunFile(from) : checkWholeFile(from)
  return [events, ...below.toSorted((a, b) => depthOf(a) - depthOf(b))]
}

const depthOf = ([first]: readonly Event[]): number => (first?.type === 'started' ? (first.parent?.depth ?? 0) : 0)

interface Placed {
  readonly log: readonly Event[]
  readonly event: Event
  /** The time of the event. A clock may have been set back; a log has an order. */
  readonly at: number
}

/** Returns the events of all logs by time. Of the same time, a parent's come first. */
function inOrder(logs: readonly (readonly Event[])[]): readonly Placed[] {
  const placed = logs.flatMap((log) => {
    let latest = 0
    return log.map((event): Placed => {
      latest = Math.max(latest, event.at)
      return { log, event, at: latest }
    })
  })
  return placed.toSorted((a, b) => a.at - b.at)
}

/** Generates ids for the `idGenerator` of a tracer provider. */
export interface TraceIds {
  generateTraceId(): string
  generateSpanId(): string
}

/**
 * Returns a generator of ids that gives the same ids for the same seed, so that a log that is exported twice is one trace.
 * Use a provider of its own for each export.
 *
 * @example
 * const provider = new TracerProvider({ idGenerator: traceIds(file.runId), spanProcessors })
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

/** 32 bits of FNV-1a, well mixed: neighbours in number are none in value. */
function hash(text: string, seed: number): number {
  let value = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
