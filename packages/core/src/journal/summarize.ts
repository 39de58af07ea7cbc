import type { Event } from '../event.ts'
import type { RunSummary } from '../journal.ts'
import type { UserContent } from '../part.ts'

const nothing: RunSummary = { runId: '', agent: '', version: '', startedAt: 0, updatedAt: 0, events: 0, title: '' }

/** Keeps the summary of a run up to date with what is appended to its log. */
export function summarize(summary: RunSummary = nothing, events: readonly Event[]): RunSummary {
  let next = summary
  for (const event of events) {
    const { rest: _, ...working } = next
    next = { ...working, ...changed(next, event), updatedAt: event.at, events: event.seq + 1 }
  }
  return next
}

function changed(summary: RunSummary, event: Event): Partial<RunSummary> {
  if (event.type === 'started') {
    const { runId, agent, version, at, parent } = event
    return { runId, agent, version, startedAt: at, ...(parent && { parent }) }
  }
  if (event.type === 'rested') return { rest: event.signal.type }
  if (event.type === 'said' && !summary.title) return { title: textOf(event.content).slice(0, 120) }
  return {}
}

const textOf = (content: UserContent): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
