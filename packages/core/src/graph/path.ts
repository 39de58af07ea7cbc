import type { RunContext } from '../run.ts'
import { moveTo } from './place.ts'

/** The route of a walk: a whole graph, or a branch of it up to its join. */
export interface Path {
  /** The key of the note with its position. */
  readonly key: string
  /** The prefix of question ids in its visits. A nested graph adds it to the outer visit's prefix. */
  readonly label: string
  /** The `seq` of what it belongs to. */
  readonly of: number
  readonly start: string
  readonly until: string
  /** The visits of the run, and those that do not count for the limit. */
  readonly visits: number
  readonly before: number
}

/** Starts a walk, or restarts it. */
export function begin(run: RunContext, { key, of, start, until, visits, before }: Path): void {
  const over = start === until
  const since = run.state.seq
  moveTo(run, { key, of, node: start, visit: over ? visits : visits + 1, before, since, ...(over && { over }) })
}
