import type { Failure } from './error.ts'
import type { LimitName } from './limit.ts'
import type { Ask } from './question.ts'

/**
 * Why a run rests. Not an `AbortSignal`, and not a reactive value: one of five plain values, told apart by `type`. A step
 * that has nothing to signal returns `undefined`.
 */
export type Signal<Output = unknown> =
  | AnswerSignal<Output>
  | InputNeededSignal
  | LimitReachedSignal
  | FailedSignal
  | StoppedSignal

/** The run has its answer. `say` goes on from here. */
export interface AnswerSignal<Output = unknown> {
  readonly type: 'answer'
  readonly output: Output
  /**
   * What made it the answer: plain text, text that the model's limit of output cut off, the final-answer tool, the model's
   * own confidence, that it did not end the way it had to and was not asked again, or a guard that answers for the model.
   */
  readonly reason: 'text' | 'length' | 'finalAnswer' | 'confidence' | 'completed' | 'blocked'
  /** How sure the model says it is, from 0 to 1, where it was asked. */
  readonly confidence?: number
}

/** Every open activity of the run waits for a person. `reply` goes on from here. */
export interface InputNeededSignal {
  readonly type: 'inputNeeded'
  readonly asks: readonly [Ask, ...Ask[]]
}

/** A limit is used up: no failure, and nothing is lost. Replying to `ask` extends it or ends the run. */
export interface LimitReachedSignal {
  readonly type: 'limitReached'
  readonly limit: LimitName
  readonly used: number
  readonly allowed: number
  readonly ask: Ask
}

/** The run cannot go on by itself. `resume` tries again from the same place. */
export interface FailedSignal {
  readonly type: 'failed'
  readonly error: Failure
}

/** Somebody stopped the run. What was done so far is kept; `say` or `resume` goes on. */
export interface StoppedSignal {
  readonly type: 'stopped'
  readonly reason: string
  /** The run was opened from a file, and waits for a user to continue it here. */
  readonly cause?: 'imported'
}
