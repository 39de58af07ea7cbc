import { AgentError, toFailure } from '../error.ts'
import type { Beside, TurnPlan } from '../plan.ts'
import type { RunContext } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { derive } from '../step.ts'
import { askModels, type Prompting } from './askModels.ts'
import { Breaker } from './breaker.ts'
import type { Asked } from './callModel.ts'
import { orStopped } from './wait.ts'

/** A turn and the outcome of its concurrent work. With an outcome, the turn is discarded. */
export interface AskedBeside {
  readonly asked: Asked
  readonly outcome?: Signal | 'void'
}

/**
 * Calls the models while other work runs. If that work has an outcome, fails, or is unfinished when the run stops, the
 * turn is discarded; only its usage is persisted.
 */
export async function askBeside(
  run: RunContext,
  prompting: Prompting,
  beside: NonNullable<TurnPlan['beside']>,
): Promise<AskedBeside> {
  const breaker = new Breaker(run.abortSignal)
  const given = derive(run, { abortSignal: breaker.abortSignal })
  const work = async (begin: () => PromiseLike<Beside>): Promise<Beside> => {
    // Begun in a promise, so that one that throws at once fails like any other.
    const outcome = await orStopped(Promise.resolve().then(begin), run.abortSignal).catch((error) => failed(error))
    if (outcome) breaker.break(reasonOf(outcome))
    return outcome
  }
  try {
    const working = Promise.all(beside.map(work))
    const asked = await askModels(given, prompting)
    const outcomes = (await working).filter((each) => each !== undefined)
    const [outcome] = [...outcomes.filter((each) => each !== 'void'), ...outcomes]
    if (!outcome) return { asked }
    return { asked: { ...asked, parts: [], error: toFailure(breaker.broken?.reason, 'step_failed') }, outcome }
  } finally {
    breaker.end()
  }
}

function reasonOf(signal: Signal | 'void'): AgentError {
  if (signal !== 'void' && signal.type === 'failed') return new AgentError(signal.error.code, signal.error.message)
  return new AgentError('guard_blocked', 'The turn was discarded because of concurrent work.')
}
