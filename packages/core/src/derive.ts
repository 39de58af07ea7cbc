import type { RunContext } from './run.ts'

/** The same run with something else in some places. What it tells of the run stays live. */
export function derive<Members extends Partial<RunContext> | object>(
  run: RunContext,
  members: Members,
): RunContext & Members {
  return Object.create(run, Object.getOwnPropertyDescriptors(members))
}
