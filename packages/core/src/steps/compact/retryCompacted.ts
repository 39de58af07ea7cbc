import { needsOf } from '../../needsOf.ts'
import { itemAt, lengthOf } from '../../pages.ts'
import type { RunContext, Step } from '../../run.ts'
import type { RunState } from '../../state.ts'
import { isOverflow } from './overflow.ts'

/**
 * Retries a backend if the model rejected a prompt as too long: `compact()` then shortens the history regardless of its
 * estimate. A second rejection in a row fails the run.
 */
export function retryCompacted(backend: Step): Step {
  const step = async (run: RunContext) => {
    const signal = await backend(run)
    const again = signal?.type === 'failed' && refused(run.state, 1) && !refused(run.state, 2)
    return again ? undefined : signal
  }
  return Object.assign(step, needsOf(backend))
}

/** Returns true if the latest turn, or the one before it, was rejected as too long. */
function refused({ history }: RunState, back: number): boolean {
  const entry = itemAt(history, lengthOf(history) - back)
  return entry?.type === 'turn' && entry.error !== undefined && isOverflow(entry.error)
}
