import type { Limits } from '../limit.ts'
import { awaitsThought } from '../openCalls.ts'
import type { Ask } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { LimitReachedSignal } from '../signal.ts'
import { boundCalls } from './boundCalls.ts'
import { checkLimits, inWords, type LimitReading, readLimits } from './readLimits.ts'

/** Rests before a turn that would begin at or beyond a limit. It is what `limit` does at least, and small for that. */
export function restAtLimit(limits: Limits): Step {
  checkLimits(limits)
  return (run) => {
    boundCalls(run, limits)
    if (!awaitsThought(run.state)) return undefined
    const reached = readLimits(run, limits).find(isReached)
    return reached && restAt(run, reached)
  }
}

/** Returns true if a limit is reached, or if its usage is unknown. */
export const isReached = ({ used, allowed }: LimitReading): boolean => !(used < allowed)

interface LimitAsking {
  /** The effect of finishing. */
  readonly finish?: 'answer'
}

export function restAt(run: RunContext, reading: LimitReading, asking: LimitAsking = {}): LimitReachedSignal {
  const { limit, used, allowed } = reading
  const prompt = `The limit of ${inWords(allowed, limit)} is reached. Go on?`
  return { type: 'limitReached', limit, used, allowed, ask: askOnce(run, reading, { prompt, ...asking }) }
}

/** A question that was asked beforehand is still the one when the limit is reached. */
export function askOnce(
  run: RunContext,
  reading: LimitReading,
  { prompt, ...asking }: LimitAsking & { prompt: string },
): Ask {
  const id = `${run.state.request.iteration}/limit/${reading.limit}/${reading.allowed}`
  const open = run.state.asks.find((other) => other.id === id)
  if (open) return open
  const ask: Ask = { kind: 'extension', prompt, ...reading, ...asking, id }
  run.emit({ type: 'asked', ask })
  return ask
}
