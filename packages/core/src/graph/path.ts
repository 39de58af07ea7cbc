import type { RunContext } from '../run.ts'
import { moveTo } from './place.ts'

/** What a walk goes along: a whole graph, or a branch of it up to where it joins. */
export interface Path {
  /** Where its place is noted. */
  readonly key: string
  /** What questions in its visits begin with. Where the graph stands in a visit, that visit's own prefix goes before. */
  readonly label: string
  /** What it belongs to, by `seq`. */
  readonly of: number
  readonly start: string
  readonly until: string
  /** The visits of the run, and those that do not count for the limit. */
  readonly visits: number
  readonly before: number
}

/** Takes the first place of a walk, or takes it anew. */
export function begin(run: RunContext, { key, of, start, until, visits, before }: Path): void {
  const over = start === until
  const since = run.state.seq
  moveTo(run, { key, of, node: start, visit: over ? visits : visits + 1, before, since, ...(over && { over }) })
}
