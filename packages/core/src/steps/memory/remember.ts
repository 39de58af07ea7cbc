import { demand } from '../../demand.ts'
import { needsOf } from '../../needsOf.ts'
import type { RunContext, Step } from '../../run.ts'
import type { RunState } from '../../state.ts'
import type { Memory } from './memory.ts'
import { recall } from './recall.ts'
import { type Exchange, store } from './store.ts'

export interface RememberOptions {
  memory: Memory
  /** Whose memory it is, such as the user's id: everybody with the same one is reminded of the same. */
  namespace: string | ((state: RunState) => string)
  /** How many items a request is reminded of; 5 by default. */
  limit?: number
  /** What is worth keeping of an answered request, as texts. By default the request and the answer themselves. */
  extract?: (exchange: Exchange, run: RunContext) => readonly string[] | PromiseLike<readonly string[]>
  /** Told when the memory fails or takes too long: the run goes on without it. By default `reportError` is. */
  onError?: (error: unknown) => void
  /** How long the memory may take each time; 5,000 by default. */
  timeoutMs?: number
}

/**
 * Reminds the model, at the beginning of each request, of what is known from other runs, and keeps what came of it. Goes
 * around a whole backend. What the model was reminded of is in the log, and the same after a reload.
 */
export function remember(backend: Step, { limit = 5, timeoutMs = 5_000, ...options }: RememberOptions): Step {
  demand(
    typeof backend === 'function',
    'remember() goes around a backend: remember(reasonAct(), { memory, namespace }).',
  )
  demand(options.memory, 'remember() needs a memory, such as searchMemory().')
  demand(
    options.namespace,
    'remember() needs a namespace, such as the id of the user, so that nobody reads of another.',
  )
  const remembering = { ...options, limit, timeoutMs }
  const step = async (run: RunContext) => {
    await recall(run, remembering)
    const signal = await backend(run)
    // What a guard answered instead is nothing that came of the request.
    if (signal?.type === 'answer' && signal.reason !== 'blocked') await store(run, remembering, signal.output)
    return signal
  }
  return Object.assign(step, needsOf(backend))
}
