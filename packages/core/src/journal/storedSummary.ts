import type { RunSummary } from '../journal.ts'
import { count, type Members, text, time } from '../validate/shape.ts'
import { origin } from '../validate/shapes.ts'
import { noSummary } from './runList.ts'

const members: Members = {
  ...origin,
  startedAt: time,
  updatedAt: time,
  events: count,
  title: text,
  rest: text,
}

/** Returns a run's stored list entry. Invalid members are omitted, so that a damaged run is listed and can be deleted. */
export function storedSummary(runId: string, stored: unknown): RunSummary {
  const given = Object.entries(Object(stored) as object)
  const valid = given.filter(([key, value]) => Object.hasOwn(members, key) && members[key]?.(value) === undefined)
  return { ...noSummary, ...Object.fromEntries(valid), runId }
}
