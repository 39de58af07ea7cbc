import type { Asking } from './ask.ts'
import type { Json } from './json.ts'

/** What a tool that cannot run at any time is given to wait with. Its call is not begun before the wait is over. */
export interface Readying {
  readonly runId: string
  /** The name of the tool. */
  readonly tool: string
  /** The key of the call. Ids of questions begin with it. */
  readonly key: string
  /** Whether a question was answered before. */
  isAnswered(id: string): boolean
  /** Whether a question is open, as after a crash. */
  isAsked(id: string): boolean
  ask<T>(id: string, question: Asking<T>): Promise<T>
  /** Ends a question that needs no answer any more. */
  withdraw(id: string): void
  /** Keeps something of the call in the log. Resolves when those who read the journal see it. */
  note(key: string, value: Json): Promise<void>
}
