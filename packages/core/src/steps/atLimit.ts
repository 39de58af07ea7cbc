import { AgentError } from '../error.ts'
import type { Ask } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { BudgetName, LimitReachedSignal } from '../signal.ts'
import { awaitsThought, openCalls } from '../state.ts'
import { refuseCall } from '../step.ts'

/** The usage of a limit since the user's latest message. */
export interface LimitReading {
  readonly limit: BudgetName
  readonly used: number
  /** The limit, including extensions by replies. */
  readonly allowed: number
  /** The original limit. */
  readonly suggested: number
}

/** Formats an amount without the noise of sums of fractions. */
export const short = (amount: number): number => (Number.isInteger(amount) ? amount : Number(amount.toPrecision(6)))

/** Returns true if a limit is reached, or if its usage is unknown. */
export const isReached = ({ used, allowed }: LimitReading): boolean => !(used < allowed)

type Emitting = Pick<RunContext, 'state' | 'emit'>

interface LimitAsking {
  /** The effect of finishing. */
  readonly finish?: 'answer'
}

/** Pauses the run at a limit. `words` are such as `20 iterations`. */
export function restAt(
  run: Emitting,
  reading: LimitReading,
  words: string,
  asking: LimitAsking = {},
): LimitReachedSignal {
  const { limit, used, allowed } = reading
  const prompt = `The limit of ${words} is reached. Go on?`
  return { type: 'limitReached', limit, used, allowed, ask: askOnce(run, reading, { prompt, ...asking }) }
}

/** Asks about a limit once. A question that was asked beforehand is still the one when the limit is reached. */
export function askOnce(
  run: Emitting,
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

/** Pauses the run before a turn beyond this number of iterations: the limit of a backend that names none. */
export const restAfter =
  (suggested: number): Step =>
  ({ state, emit }) => {
    if (!awaitsThought(state)) return undefined
    const { iteration, request, extensions } = state
    const allowed = suggested + (extensions.iterations ?? 0)
    const reading = { limit: 'iterations', used: iteration - request.iteration, allowed, suggested } as const
    return isReached(reading) ? restAt({ state, emit }, reading, `${short(allowed)} iterations`) : undefined
  }

/** Lets at most this many of the open calls start, in the model's order. The model reads why the others do not. */
export function refuseBeyond(run: RunContext, most: number): void {
  let left = most
  for (const { key, name, calledAt, invalid, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    const counts = spec && !spec.terminal && !invalid && approvalId === undefined && calledAt === undefined
    if (!counts || left-- > 0) continue
    refuseCall(run, key, tooMany(most))
  }
}

const tooMany = (most: number): AgentError =>
  new AgentError(
    'too_many',
    `This call was not run: ${most} more calls were allowed. Call it again if you still need it.`,
  )
