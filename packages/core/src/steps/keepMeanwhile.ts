import type { RunContext } from '../run.ts'
import { ignore } from './breaker.ts'

/**
 * Writes what there is while a model works, so that a page that goes away meanwhile loses nothing of it. Tries again if that
 * fails. What it gives rejects if that fails again: an owner that another one has followed asks for no further turn.
 */
export function keepMeanwhile(run: RunContext): PromiseLike<void> | undefined {
  const keeping = run.durable()?.then(undefined, () => run.durable())
  keeping?.then(undefined, ignore)
  return keeping
}
