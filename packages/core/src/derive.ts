import type { RunContext } from './run.ts'

/** Returns a view of the same run with some members replaced. Its other properties stay live. */
export function derive<Members extends Partial<RunContext> | object>(
  run: RunContext,
  members: Members,
): RunContext & Members {
  return Object.create(run, Object.getOwnPropertyDescriptors(members))
}
