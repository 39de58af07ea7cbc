import type { ListOptions, RunSummary } from '../journal.ts'

type Place = Pick<RunSummary, 'runId' | 'updatedAt'>

/** The order of a list: newest first, and of one time by id, from the last. */
export const newestFirst = (a: Place, b: Place): number =>
  b.updatedAt - a.updatedAt || (a.runId === b.runId ? 0 : a.runId < b.runId ? 1 : -1)

/** Returns true if a list with these options includes a run. */
export const lists =
  ({ agent, below, before }: ListOptions) =>
  (run: RunSummary): boolean =>
    (agent === undefined || run.agent === agent) &&
    (below === undefined || run.runId.startsWith(`${below}/`)) &&
    (before === undefined || comesAfter(run, before))

const comesAfter = (run: Place, before: number | Place): boolean =>
  typeof before === 'number' ? run.updatedAt < before : newestFirst(before, run) < 0

/** The newest time that a list with these options may have, and whether it may have it. */
export const newest = ({ before = Number.POSITIVE_INFINITY }: ListOptions): { time: number; open: boolean } =>
  typeof before === 'number' ? { time: before, open: true } : { time: before.updatedAt, open: false }
