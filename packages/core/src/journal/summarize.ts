import type { Event } from '../event.ts'
import { importedRest } from '../imported.ts'
import type { RunSummary } from '../journal.ts'
import type { UserContent } from '../part.ts'

/** That of a log that has no events. */
export const noSummary: RunSummary = {
  runId: '',
  agent: '',
  version: '',
  startedAt: 0,
  updatedAt: 0,
  events: 0,
  title: '',
}

/** Keeps the summary of a run up to date with what is appended to its log. */
export function summarize(summary: RunSummary = noSummary, events: readonly Event[]): RunSummary {
  let next = summary
  for (const event of events) {
    const { rest, ...working } = next
    const resting = rest !== undefined && !wakes(event, rest) ? { rest } : {}
    next = { ...working, ...resting, ...changed(next, event), updatedAt: event.at, events: event.seq + 1 }
  }
  return next
}

/** Returns true if a list shows a run differently, apart from the time of its last write. */
export const looksDifferent = (before: RunSummary | undefined, after: RunSummary): boolean =>
  !before || before.runId !== after.runId || before.rest !== after.rest || before.title !== after.title

/**
 * Returns true if an event makes a run work again, as in the state. A waiting run that is resumed may restart its
 * calls, and still waits.
 */
function wakes({ type }: Event, rest: string): boolean {
  if (type === 'said') return rest !== 'inputNeeded'
  return type === 'replied' || type === 'withdrawn' || type === 'resumed' || type === 'observed'
}

function changed(summary: RunSummary, event: Event): Partial<RunSummary> {
  if (event.type === 'started') {
    const { runId, agent, version, at, parent } = event
    return { runId, agent, version, startedAt: at, ...(parent && { parent }) }
  }
  if (event.type === 'imported' && !isKept(summary.rest)) return { rest: importedRest.type }
  if (event.type === 'rested') return { rest: event.signal.type }
  if (event.type === 'said' && !summary.title) return { title: textOf(event.content).slice(0, 120) }
  return {}
}

const isKept = (rest: string | undefined): boolean => rest === 'answer' || rest === 'failed'

const textOf = (content: UserContent): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
