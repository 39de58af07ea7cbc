import type { Failure } from './error.ts'
import type { LimitName } from './limit.ts'
import type { Ask } from './question.ts'

/**
 * The reason why a run has paused or finished: one of five plain objects, distinguished by `type`. (Not an
 * `AbortSignal`.) A step without a signal returns `undefined`.
 */
export type Signal<Output = unknown> =
  | AnswerSignal<Output>
  | InputNeededSignal
  | LimitReachedSignal
  | FailedSignal
  | StoppedSignal

/** The run has its answer. `say` continues it. */
export interface AnswerSignal<Output = unknown> {
  readonly type: 'answer'
  readonly output: Output
  /**
   * The reason why it is the answer: plain text, text cut off by the model's output limit, the final-answer tool, the
   * model's confidence, exhausted reminders, or a guard that answers for the model.
   */
  readonly reason: 'text' | 'length' | 'finalAnswer' | 'confidence' | 'completed' | 'blocked'
  /** The confidence that the model stated, from 0 to 1, if it was asked. */
  readonly confidence?: number
}

/** Every open activity of the run waits for a user. `reply` continues it. */
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

/** The run cannot continue by itself. `resume` tries again. */
export interface FailedSignal {
  readonly type: 'failed'
  readonly error: Failure
}

/** The run was stopped. Finished work stays; `say` or `resume` continues it. */
export interface StoppedSignal {
  readonly type: 'stopped'
  readonly reason: string
  /** The run was opened from a file, and waits for a user to continue it here. */
  readonly cause?: 'imported'
}
