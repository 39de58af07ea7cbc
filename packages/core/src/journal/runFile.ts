import { fold } from '../changes/all.ts'
import { AgentError } from '../error.ts'
import type { Event, LiveEvent } from '../event.ts'
import { asJson, fromJson, problemInData } from '../json.ts'
import type { Ask } from '../question.ts'
import type { Signal } from '../signal.ts'
import { usageOf } from '../state.ts'
import * as shapes from '../validate/shapes.ts'
import { count, json, listOf, maybe, oneOf, shapeOf } from '../validate/shapes.ts'
import { checkLog } from '../validate/validate.ts'

/** A run as one plain JSON file: to view it, to attach it to a report, or to continue it elsewhere. */
export interface RunFile {
  readonly format: 'interleave.debug'
  readonly formatVersion: 1
  readonly runId: string
  readonly agent: string
  readonly version: string
  readonly events: readonly Event[]
  /** The logs of its child runs. */
  readonly below?: readonly (readonly Event[])[]
  /** Set if the agent's thoughts are omitted. Such a file can be viewed, but not continued. */
  readonly thoughts?: false
  /** Live events, each after the first `after` durable ones. Only a recorder with `live` has some. */
  readonly live: readonly { readonly after: number; readonly event: LiveEvent }[]
}

/** Creates the file of a run with this log. */
export function runFile(
  events: readonly Event[],
  more: Partial<Pick<RunFile, 'below' | 'thoughts' | 'live'>> = {},
): RunFile {
  const { runId, agent, version } = fold(events.slice(0, 1))
  return { format: 'interleave.debug', formatVersion: 1, runId, agent, version, events, live: [], ...more }
}

const extras = shapeOf({
  below: maybe(listOf(listOf(json))),
  thoughts: maybe(oneOf(false)),
  live: maybe(listOf(shapeOf({ after: count, event: shapes.liveEvent }))),
})

export type CheckedFile = RunFile & Required<Pick<RunFile, 'below'>>

/** Validates a foreign file. Throws `log_invalid`, and says what is wrong. */
export function checkRunFile(data: unknown): CheckedFile {
  const { format, formatVersion, ...file }: Partial<RunFile> = Object(data)
  if (format !== 'interleave.debug') throw invalid('it is not the file of a run')
  if (formatVersion !== 1) {
    throw invalid(`it is of version ${String(formatVersion)}, and this reads version 1. Update @interleave/core`)
  }
  const wild = problemInData(data)
  if (wild) throw invalid(wild)
  const wrong = extras(data)
  if (wrong !== undefined) throw invalid(`it has a wrong "${wrong}"`)
  const events = checkLog(file.events)
  const logs = (file.below ?? []).map((log) => checkLog(log))
  const below = checkBelow(runIdOf(events), logs)
  const { thoughts, live = [] } = file
  return { ...runFile(events, { live, ...(thoughts === false && { thoughts }) }), below }
}

function checkBelow(runId: string, logs: CheckedFile['below']): CheckedFile['below'] {
  const ids = new Set<string>()
  for (const id of logs.map(runIdOf)) {
    if (!id.startsWith(`${runId}/`) || ids.has(id))
      throw invalid(`the run "${id}" is not a child of "${runId}", or occurs twice`)
    ids.add(id)
  }
  return logs
}

/** Returns the id of a log's run. */
export const runIdOf = (events: readonly Event[]): string => fold(events.slice(0, 1)).runId

/** Validates a file that can be continued, and moves all logs of child runs to `below`, as in a journal. */
export function checkWholeFile(data: unknown): CheckedFile {
  const file = checkRunFile(data)
  if (file.thoughts === false)
    throw invalid("the agent's thoughts are omitted. Take it from the journal, with exportRun()")
  return withoutNotedLogs(file)
}

/**
 * Returns the logs of the child runs that a part of their run's log has started, cut at its latest time. If the clock
 * was set back meanwhile, more of a child may stay, since its effects must not be repeated.
 */
export function logsAt(part: readonly Event[], below: CheckedFile['below']): (readonly Event[])[] {
  const until = part.reduce((latest, { at }) => Math.max(latest, at), 0)
  const parts = new Map([[runIdOf(part), part]])
  // The id of a run is a part of those of its children.
  for (const log of below.toSorted((a, b) => runIdOf(a).length - runIdOf(b).length)) {
    const { parent, runId } = fold(log.slice(0, 1))
    if (parent && parts.get(parent.runId)?.some((event) => begins(event, parent.key)))
      parts.set(runId, partUntil(log, until))
  }
  return [...parts.values()].slice(1).filter(({ length }) => length > 0)
}

/** Returns the part of a log up to this time. A run writes its first events at once, so its message is among them. */
function partUntil(log: readonly Event[], until: number): readonly Event[] {
  const length = log.findLastIndex(({ at }) => at <= until) + 1
  return log.slice(0, length && Math.max(length, log.findIndex(({ type }) => type === 'said') + 1))
}

/** Returns true if a child run with this key may begin after the event. */
const begins = (event: Event, key: string): boolean =>
  event.type === 'claimed' ? event.call === key : event.type === 'noted' && event.key === usageOf(key)

/** Moves the logs of child runs out of the notes, where a run without a journal has them. */
function withoutNotedLogs(file: CheckedFile): CheckedFile {
  const logs = new Map<string, Event[]>()
  const events = file.events.map((event) => {
    const noted = notedLog(event)
    // A note whose events were moved before is empty. They are in `below` then, or missing.
    if (!noted || noted.log.length === 0) return event
    const log = logs.get(noted.id) ?? []
    for (const kept of noted.log) log.push(kept)
    logs.set(noted.id, log)
    return { ...noted.event, key: logKey(noted.id, '0'), value: [] }
  })
  const moved = [...logs].map(([id, log]) => checkLog(log, { runId: id }))
  return { ...file, events, below: checkBelow(file.runId, [...file.below, ...moved]) }
}

const invalid = (why: string): AgentError =>
  new AgentError('log_invalid', `The file of the run cannot be opened: ${why}.`)

/** Returns a function that converts the ids of a run and its descendants to those of another run. */
export const idChange =
  (from: string, to: string) =>
  (id: string): string =>
    id === from || id.startsWith(`${from}/`) ? to + id.slice(from.length) : id

/** Converts a log to that of a run with another id, also in questions and notes of its child runs. */
export function renameRun(events: readonly Event[], change: (id: string) => string): Event[] {
  const inAsk = <A extends Ask>(ask: A): A =>
    ask.from ? { ...ask, from: { ...ask.from, runId: change(ask.from.runId) } } : ask
  const inSignal = (signal: Signal): Signal => {
    if (signal.type === 'limitReached') return { ...signal, ask: inAsk(signal.ask) }
    if (signal.type !== 'inputNeeded') return signal
    const [first, ...others] = signal.asks
    return { ...signal, asks: [inAsk(first), ...others.map(inAsk)] }
  }
  return events.map((event) => {
    switch (event.type) {
      case 'started': {
        const { parent, runId } = event
        return { ...event, runId: change(runId), ...(parent && { parent: { ...parent, runId: change(parent.runId) } }) }
      }
      case 'asked':
      case 'permitted':
        return { ...event, ask: inAsk(event.ask) }
      case 'settled':
        return { ...event, signal: inSignal(event.signal) }
      case 'noted':
        return renameNote(event, change)
      default:
        return event
    }
  })
}

type Noted = Extract<Event, { type: 'noted' }>

/** Renames the logs of child runs in notes, for runs without a journal. */
function renameNote(event: Noted, change: (id: string) => string): Noted {
  const noted = notedLog(event)
  if (!noted) return event
  const value = asJson(renameRun(noted.log, change))
  return { ...event, key: logKey(change(noted.id), noted.start), value }
}

const logKey = (id: string, start: string): string => `${id}>log/${start}`

/** A part of a child's log that an event notes. */
interface NotedLog {
  readonly event: Noted
  readonly id: string
  /** The `seq` of its first event. */
  readonly start: string
  readonly log: readonly Event[]
}

/** Returns the part of a child's log that an event notes. */
export function notedLog(event: Event): NotedLog | undefined {
  if (event.type !== 'noted') return undefined
  const [id = '', start, ...others] = event.key.split('>log/')
  if (start === undefined || others.length > 0) return undefined
  if (!Array.isArray(event.value) || event.value.some((kept) => shapes.event(kept) !== undefined)) return undefined
  return { event, id, start, log: fromJson<Event[]>(event.value) }
}
