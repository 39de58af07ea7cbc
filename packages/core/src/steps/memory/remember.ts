import { demand } from '../../demand.ts'
import { needsOf } from '../../needsOf.ts'
import type { RunContext, Step } from '../../run.ts'
import type { RunState } from '../../state.ts'
import type { Memory } from './memory.ts'
import { recall } from './recall.ts'
import { type Exchange, store } from './store.ts'

export interface RememberOptions {
  memory: Memory
  /** The owner of the memory, such as the user's id. Everyone with the same namespace shares its memories. */
  namespace: string | ((state: RunState) => string)
  /** The maximum number of items per request; 5 by default. */
  limit?: number
  /** Returns the texts to store of an answered request. By default the request and the answer. */
  extract?: (exchange: Exchange, run: RunContext) => readonly string[] | PromiseLike<readonly string[]>
  /** Receives an error if the memory fails or times out; the run continues without it. `reportError` by default. */
  onError?: (error: unknown) => void
  /** The time limit of each access; 5,000 by default. */
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
    'remember() needs a `namespace`, such as the id of the user, so that users do not share memories.',
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
