import { isBlank } from './characters.ts'
import type { Dialect } from './dialect.ts'
import type { Observations } from './observations.ts'
import type { Outbox } from './outbox.ts'
import type { Quotes } from './quotes.ts'
import type { IsText } from './readTagCalls.ts'
import type { Token } from './token.ts'

/** Reads one part of a step, such as what follows `Action:`, from where it begins. */
export interface Part {
  take(token: Token): PartResult
  /** The text is over: what is still to be read, now that nothing follows it. Comes before `end`. */
  last?(): Change | undefined
  /** The text is over. */
  end(): void
}

/** The part continues, the step is complete, or another part takes over. */
export type PartResult = 'more' | 'done' | Change

export interface Change {
  /** The next reader. Undefined for prose, to which parts return. */
  readonly part: Part | undefined
  /** The remaining tokens. */
  readonly tokens: readonly Token[]
}

export const goTo = (part: Part, ...tokens: readonly Token[]): Change => ({ part, tokens })

export const goBack = (...tokens: readonly Token[]): Change => ({ part: undefined, tokens })

/** The shared state of the parts of one step. */
export interface Step {
  readonly out: Outbox
  readonly dialect: Dialect
  /** The names of the tools, where they are known. */
  readonly tools: readonly string[] | undefined
  /** Returns true if a field of a tool accepts only a string. */
  readonly isText: IsText
  /** Of what was thought so far. */
  readonly quotes: Quotes
  /** Finds an observation of the model's own. Undefined if a thought may contain one. */
  readonly observations: Observations | undefined
  /** The step as a whole is written in a code fence. */
  isFenced: boolean
  /** There has been text that is no reasoning between tags. */
  hasProse: boolean
  /** There has been a label. */
  isLabelled: boolean
  /** An observation is being passed over. */
  isSkipping: boolean
  /** It is a thought and nothing else, as it may be in its dialect. */
  isThoughtAlone: boolean
}

export function think(step: Step, text: string): void {
  if (step.isSkipping) return
  step.quotes.read(text)
  step.hasProse ||= !isBlank(text)
  step.out.thought(text)
}

/** As `think`, but an observation of the model's own refuses the step. */
export function thinkOrRefuse(step: Step, text: string): 'more' | 'done' {
  const end = step.observations?.read(text)
  think(step, end === undefined ? text : text.slice(0, end))
  return end === undefined ? 'more' : refuse(step, ownObservation)
}

export const ownObservation =
  'You wrote an observation yourself. Write one action and stop there: then it will be observed.'

/** Nothing after this counts. */
export function refuse({ out }: Step, message: string): 'done' {
  if (!out.hasResult) out.complaint(message)
  return 'done'
}
