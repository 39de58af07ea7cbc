import { DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import type { ListOptions, RunSummary } from '../journal.ts'
import { assertOption } from '../options.ts'
import { messageText } from '../part.ts'
import { importedSignal } from '../signal.ts'
import { count, type Members, origin, text, time } from '../validate/shapes.ts'

/** The summary of an empty log. */
export const noSummary: RunSummary = {
  runId: '',
  agent: '',
  version: '',
  startedAt: 0,
  updatedAt: 0,
  events: 0,
  title: '',
}

/** Updates the summary of a run with the events that are appended to its log. */
export function summarize(summary: RunSummary = noSummary, events: readonly Event[]): RunSummary {
  let next = summary
  for (const event of events) {
    const { signal, ...working } = next
    const settled = signal !== undefined && !wakes(event, signal) ? { signal } : {}
    next = { ...working, ...settled, ...changed(next, event), updatedAt: event.at, events: event.seq + 1 }
  }
  return next
}

/** Returns true if a list shows a run differently, apart from the time of its last write. */
export const looksDifferent = (before: RunSummary | undefined, after: RunSummary): boolean =>
  !before || before.runId !== after.runId || before.signal !== after.signal || before.title !== after.title

/** Returns true if an event makes a run work again. A waiting run that is resumed still waits. */
function wakes(event: Event, signal: string): boolean {
  const { type } = event
  if (type === 'said') return signal !== 'inputNeeded' && event.content !== ''
  return type === 'replied' || type === 'permitted' || type === 'withdrawn' || type === 'resumed' || type === 'observed'
}

function changed(summary: RunSummary, event: Event): Partial<RunSummary> {
  if (event.type === 'started') {
    const { runId, agent, version, at, parent } = event
    return { runId, agent, version, startedAt: at, ...(parent && { parent }) }
  }
  if (event.type === 'imported' && !staysOver(summary.signal)) return { signal: importedSignal.type }
  if (event.type === 'settled') return { signal: event.signal.type }
  if (event.type === 'said' && !summary.title) return { title: titleOf(messageText(event.content, ' ')) }
  return {}
}

/** Returns the beginning of a text. Half a character would not be valid JSON for every store. */
const titleOf = (text: string): string => text.slice(0, 120).replace(/\p{Surrogate}/gu, '')

const staysOver = (signal: string | undefined): boolean => signal === 'answer' || signal === 'failed'

type Cursor = Pick<RunSummary, 'runId' | 'updatedAt'>

/** Returns the options of a list, with a limit. Throws for those that journals might interpret differently. */
export function checkList({ limit = 50, ...options }: ListOptions = {}): ListOptions & { readonly limit: number } {
  const { agent, below, before } = options
  const { runId, updatedAt } = typeof before === 'object' ? Object(before) : { runId: '', updatedAt: before ?? 0 }
  assertOption(isNumber(limit), DEV && '`limit` of a list must be a number, such as 50.')
  const wanted = 'the last run of the page before, or a time in milliseconds'
  assertOption(isNumber(updatedAt) && typeof runId === 'string', DEV && `\`before\` of a list must be ${wanted}.`)
  for (const [name, value] of Object.entries({ agent, below }))
    assertOption(value === undefined || typeof value === 'string', DEV && `\`${name}\` of a list must be a string.`)
  return { ...options, limit: Math.max(0, Math.trunc(limit)) }
}

/** Returns a position or a limit as stores accept it, with the same meaning as in memory. Nothing is longer. */
export const wholeNumber = (given: number): number => Math.min(Math.max(0, Math.trunc(given) || 0), 2 ** 31 - 1)

const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

/** Compares two runs by the order of a list: newest first; runs of the same time in descending order of ids. */
export const newestFirst = (a: Cursor, b: Cursor): number =>
  b.updatedAt - a.updatedAt || (a.runId === b.runId ? 0 : a.runId < b.runId ? 1 : -1)

/** Returns true if a list with these options includes a run. */
export const lists =
  ({ agent, below, before }: ListOptions) =>
  (run: RunSummary): boolean =>
    (agent === undefined || run.agent === agent) &&
    (below === undefined || run.runId.startsWith(`${below}/`)) &&
    (before === undefined || comesAfter(run, before))

const comesAfter = (run: Cursor, before: number | Cursor): boolean =>
  typeof before === 'number' ? run.updatedAt < before : newestFirst(before, run) < 0

/** Returns the newest time in a list with these options; `open` if that time itself is excluded. */
export const newest = ({ before = Number.POSITIVE_INFINITY }: ListOptions): { time: number; open: boolean } =>
  typeof before === 'number' ? { time: before, open: true } : { time: before.updatedAt, open: false }

/**
 * Returns the error for events, or an owner, that do not follow a log of this length. `epoch` is that of the latest claim:
 * a writer that has it knows that the events at its `seq` are its own, written by a request that was repeated.
 */
export function conflict(runId: string, length: number, seq: number, epoch?: number): AgentError {
  return Object.assign(new AgentError('journal_conflict', conflictAt(runId, length, seq)), { epoch })
}

function conflictAt(runId: string, length: number, seq: number): string {
  if (length === 0) {
    const gone = `The journal has no run ${runId}, so event ${seq} does not follow. Was it deleted, here or in another tab?`
    return `${gone} Its state is still here: keep run.state if you need it.`
  }
  if (seq === 0) {
    const taken = `A run with the id "${runId}" exists already, so start() cannot begin one.`
    return `${taken} Continue it with agent.resume("${runId}", { journal }), or start with another \`id\`.`
  }
  return `The log of run ${runId} has ${length} events, so event ${seq} does not follow. Another owner took over this run.`
}

/** Returns the error for an owner that another one replaced, although its events would fit. */
export const staleOwner = (runId: string): AgentError =>
  new AgentError(
    'journal_conflict',
    `Another owner took over the run ${runId}. Load it again to see its current state.`,
  )

const members: Members = { ...origin, startedAt: time, updatedAt: time, events: count, title: text, signal: text }

/** Returns a run's stored list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
export function storedSummary(runId: string, stored: unknown): RunSummary {
  const given = Object.entries(Object(stored) as object)
  const valid = given.filter(([key, value]) => Object.hasOwn(members, key) && members[key]?.(value) === undefined)
  return { ...noSummary, ...Object.fromEntries(valid), runId }
}
