import { AgentError } from '../error.ts'
import type { Event, LiveEvent } from '../event.ts'
import { problemInData } from '../json.ts'
import { readExtensionReply } from '../question.ts'
import { logFormat } from '../state.ts'
import * as shapes from './shapes.ts'
import { count, listOf, type Shape, shapeOf, time } from './shapes.ts'

/** Validates a foreign log, of this run if one is given. Throws `log_invalid`, and names the invalid event and member. */
export function checkLog(data: unknown, { runId }: { readonly runId?: string } = {}): readonly Event[] {
  const asError = (why: string): AgentError => {
    const whose = runId === undefined ? 'This log' : `The log of run "${runId}"`
    return new AgentError('log_invalid', `${whose} cannot be used: ${why}. Take it from a copy, or begin a new run.`)
  }
  if (!Array.isArray(data)) throw asError('it is not a list of events, such as `run.log`')
  if (data.length === 0) throw asError('it has no events')
  const first: Partial<Event> = Object(data[0])
  if (first.seq !== 0 || first.type !== 'started') throw asError('it does not begin with the start of a run')
  if (runId !== undefined && first.runId !== runId) throw asError(`it is of run ${JSON.stringify(first.runId)}`)
  const format = readFormat(first.format)
  if (typeof format === 'string') throw asError(format)
  const wild = problemInData(data)
  if (wild) throw asError(wild)
  const events = migrate(data, format)
  const problemWith = createReader()
  for (const [seq, event] of events.entries()) {
    const wrong = problemWith(event, seq)
    if (wrong) throw asError(`event ${seq} ${wrong}`)
  }
  return events as readonly Event[]
}

/** Returns a function that validates the events of one log in order. Valid events depend on earlier ones. */
function createReader(): (data: unknown, seq: number) => string | undefined {
  const extensions = new Set<string>()
  let iteration = 0
  return (data, seq) => {
    const wrong = problemInEvent(data, seq)
    if (wrong) return wrong
    const event = data as Event
    if (event.type === 'started' && seq > 0) return 'is a second start'
    if (event.type === 'thought') iteration++
    if (event.iteration !== iteration) return `is of iteration ${event.iteration}, and ${iteration} is the one at hand`
    if (event.type === 'asked' && event.ask.kind === 'extension') extensions.add(event.ask.id)
    if (event.type === 'replied' && extensions.has(event.ask) && !readExtensionReply(event.value))
      return 'has a "value" that does not fit its question'
    return undefined
  }
}

const stamp: Shape = shapeOf({ seq: count, at: time, iteration: count })

/** Returns the problem of the event with this `seq`, without regard to earlier events. */
function problemInEvent(data: unknown, seq: number): string | undefined {
  const wrong = stamp(data) ?? shapes.event(data)
  if (wrong !== undefined) return wrong ? `has a wrong or missing "${wrong}"` : 'is not an event'
  const { seq: is } = data as Event
  return is === seq ? undefined : `has the seq ${is}: one is missing, or they are out of order`
}

/** Validates foreign events that follow a log of this length. Throws `log_invalid` if they do not. */
export function checkNext(data: unknown, length: number): readonly Event[] {
  const asError = (why: string): AgentError =>
    new AgentError('log_invalid', `Events that follow a log of ${length} events are invalid: ${why}.`)
  if (!Array.isArray(data)) throw asError('it is not a list')
  const wild = problemInData(data)
  if (wild) throw asError(wild)
  for (const [index, event] of data.entries()) {
    const wrong = problemInEvent(event, length + index)
    if (wrong) throw asError(`event ${length + index} ${wrong}`)
  }
  return data
}

/** Validates foreign live events. Throws `request_invalid` for invalid ones. */
export function checkLive(data: unknown): readonly LiveEvent[] {
  const wrong = liveEvents(data)
  const problem = wrong === undefined ? problemInData(data) : `it has a wrong or missing "${wrong}"`
  if (problem) throw new AgentError('request_invalid', `This is not a list of live events: ${problem}.`)
  return data as readonly LiveEvent[]
}

const liveEvents = listOf(shapes.liveEvent)

/**
 * Converts an event of one format to the next. A run continues in the newest, so a log may mix them: it must leave newer
 * events unchanged.
 */
export type Migration = (event: unknown) => unknown

/** The migrations in order, the first for format 1. Append only; never change one. */
export const migrations: readonly Migration[] = []

/** Converts events to the current format. */
export function migrate(
  events: readonly unknown[],
  format: number,
  all: readonly Migration[] = migrations,
): readonly unknown[] {
  const steps = all.slice(format - 1)
  return steps.length === 0 ? events : events.map((event) => steps.reduce((older, next) => next(older), event))
}

/** Returns the format, or the problem with it. */
export function readFormat(format: unknown = 1, newest: number = logFormat): number | string {
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 1) return 'its format is not a number from 1'
  if (format <= newest) return format
  return `it is of format ${format}, and this version reads up to ${newest}. Update @interleave/core`
}
