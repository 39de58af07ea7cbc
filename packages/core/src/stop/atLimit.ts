import { limitChanges } from '../changes/limits.ts'
import type { Ask } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { LimitName, LimitReachedSignal } from '../signal.ts'
import { awaitsThought } from '../state.ts'

/** The usage of a limit since the latest message of the user. */
export interface LimitReading<Name extends LimitName = LimitName> {
  readonly limit: Name
  readonly used: number
  /** The limit, with what replies have added to it since the user's latest message: then it is as it was. */
  readonly allowed: number
  /** The original limit, and what the dialog suggests to add. */
  readonly suggested: number
}

interface LimitQuestion {
  /** The same for the same limit and `allowed`, so that a question is not asked twice. */
  readonly id: string
  readonly prompt: string
  /** The effect of a reply to finish: an answer with what there is. It stops the run by default. */
  readonly finish?: 'answer' | undefined
}

type Asking = Pick<RunContext, 'state' | 'emit' | 'learn'>

/** Returns true if a limit is reached, or if its usage is unknown. */
export const isReached = ({ used, allowed }: LimitReading): boolean => !(used < allowed)

/** Asks about a limit, and returns the signal with which a step pauses the run. The reply extends the limit, or finishes. */
export function limitSignal(run: Asking, reading: LimitReading, question: LimitQuestion): LimitReachedSignal {
  const { limit, used, allowed } = reading
  return { type: 'limitReached', limit, used, allowed, ask: askAtLimit(run, reading, question) }
}

/** Asks about a limit once. A question that was asked beforehand is still the one when the limit is reached. */
export function askAtLimit(run: Asking, reading: LimitReading, { id, prompt, finish }: LimitQuestion): Ask {
  const open = run.state.asks.find((other) => other.id === id)
  if (open) return open
  const ask: Ask = { kind: 'extension', prompt, ...reading, ...(finish && { finish }), id }
  run.learn(limitChanges)
  run.emit({ type: 'asked', ask })
  return ask
}

/** The id of the question about a limit of this request. */
export const limitId = ({ state }: Asking, { limit, allowed }: LimitReading): string =>
  `${state.request.iteration}/limit/${limit}/${allowed}`

/** Pauses the run before a turn beyond this number of iterations: the limit of a backend that names none. */
export const pauseAfter =
  (suggested: number): Step =>
  (run) => {
    const { iteration, request, extensions } = run.state
    const allowed = suggested + (extensions.iterations ?? 0)
    const reading = { limit: 'iterations', used: iteration - request.iteration, allowed, suggested } as const
    if (!awaitsThought(run.state) || !isReached(reading)) return undefined
    const prompt = `The limit of ${allowed} iterations is reached. Go on?`
    return limitSignal(run, reading, { id: limitId(run, reading), prompt })
  }
