import { checkArgument } from '#checks'
import { Breaker, orStopped } from '../engine/wait.ts'
import { AgentError, toFailure } from '../error.ts'
import type { Concurrent, ConcurrentResult } from '../plan.ts'
import { failed, type Signal } from '../signal.ts'

/**
 * Work that runs concurrently with the model call of a turn, such as a check of its messages: a step plans it with
 * `run.replan({ concurrent: concurrently(work) })`. A signal settles the run, `void` requests the discarded turn again.
 */
export function concurrently(...work: Concurrent['work']): Concurrent {
  for (const each of work) checkArgument(each, 'work of concurrently()', 'a function')
  return { work, ask }
}

const ask: Concurrent['ask'] = async (work, abortSignal, askModels) => {
  const breaker = new Breaker(abortSignal)
  const perform = async (begin: () => PromiseLike<ConcurrentResult>): Promise<ConcurrentResult> => {
    // Started in a promise, so that work that throws at once fails like any other.
    const outcome = await orStopped(Promise.resolve().then(begin), abortSignal).catch((error) => failed(error))
    if (outcome) breaker.break(reasonOf(outcome))
    return outcome
  }
  try {
    const working = Promise.all(work.map(perform))
    const turn = await askModels(breaker.abortSignal)
    const outcomes = (await working).filter((each) => each !== undefined)
    const [outcome] = [...outcomes.filter((each) => each !== 'void'), ...outcomes]
    return outcome ? { turn, outcome, error: toFailure(breaker.broken?.reason, 'step_failed') } : { turn }
  } finally {
    breaker.end()
  }
}

function reasonOf(signal: Signal | 'void'): AgentError {
  if (signal !== 'void' && signal.type === 'failed') return new AgentError(signal.error.code, signal.error.message)
  return new AgentError('guard_blocked', 'Concurrent work discarded the turn.')
}
