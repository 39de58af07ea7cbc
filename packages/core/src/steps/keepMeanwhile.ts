import type { RunContext } from '../run.ts'
import { ignore } from './breaker.ts'

/**
 * Writes the queue while a model works, so that a closing page loses nothing. Retries once. The returned promise
 * rejects if that fails too: a stale owner requests no further turn.
 */
export function keepMeanwhile(run: RunContext): PromiseLike<void> | undefined {
  const keeping = run.durable()?.then(undefined, () => run.durable())
  keeping?.then(undefined, ignore)
  return keeping
}
