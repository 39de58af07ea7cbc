import { type ErrorCode, type Failure, toFailure } from './error.ts'
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
interface InputNeededSignal {
  readonly type: 'inputNeeded'
  readonly asks: readonly [Ask, ...Ask[]]
}

/** A limit is reached. It is not a failure, and nothing is lost. A reply to `ask` extends it or ends the run. */
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

/** Returns true for the type of a signal that ends a run. One that waits for a reply, or none, does not. */
export const isOver = (type: string | undefined): boolean =>
  type !== undefined && type !== 'inputNeeded' && type !== 'limitReached'

/** A resource that a run may use between two user messages. */
export type LimitName = CountedLimit | 'visits'

/** The resources that `limit` counts. Graphs count visits. */
export type CountedLimit = 'iterations' | 'tokens' | 'cost' | 'toolCalls' | 'ms'

/** `cost` is in the price table's currency. `ms` counts working time, without the time spent waiting for users. */
export type Limits = { readonly [Name in CountedLimit]?: number }

/** Returns true for a question about a limit of this run, and not of its children. */
export const isOwnLimit = (ask: Ask): ask is Extract<Ask, { readonly kind: 'extension' }> =>
  ask.kind === 'extension' && !ask.from

/** Returns the signal of a run that cannot continue. Foreign errors get `code`. */
export const failed = (error: unknown, code: ErrorCode = 'step_failed'): FailedSignal => ({
  type: 'failed',
  error: toFailure(error, code),
})

/** The signal of a run that was opened from a file. */
export const importedSignal: StoppedSignal = {
  type: 'stopped',
  reason: 'Opened from a file. Nothing runs until you continue.',
  cause: 'imported',
}
