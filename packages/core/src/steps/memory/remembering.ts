import { AgentError } from '../../error.ts'
import { reportLater } from '../../reportLater.ts'
import type { RunContext } from '../../run.ts'
import type { RunState } from '../../state.ts'
import { Breaker, ignore } from '../breaker.ts'
import type { Memory } from './memory.ts'

/** The options of both halves of `remember`. */
export interface Remembering {
  readonly memory: Memory
  readonly namespace: string | ((state: RunState) => string)
  readonly limit: number
  readonly onError?: ((error: unknown) => void) | undefined
  readonly timeoutMs: number
}

export const namespaceOf = ({ namespace }: Remembering, state: RunState): string =>
  typeof namespace === 'function' ? namespace(state) : namespace

/** Returns the memory's result, or undefined if it fails, times out, or the run is stopped. */
export async function attempt<T>(
  run: RunContext,
  { onError = reportLater, timeoutMs }: Remembering,
  work: (abortSignal: AbortSignal) => T | PromiseLike<T>,
): Promise<T | undefined> {
  const breaker = new Breaker(run.abortSignal)
  const late = () => breaker.break(new AgentError('step_failed', `The memory took longer than ${timeoutMs} ms.`))
  const cancel = run.host.timer(timeoutMs, late)
  try {
    return await breaker.race(Promise.resolve(breaker.abortSignal).then(work), ignore)
  } catch (error) {
    if (!run.abortSignal.aborted) onError(error)
    return undefined
  } finally {
    cancel()
    breaker.end()
  }
}
