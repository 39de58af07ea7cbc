import type { Asking } from './ask.ts'
import type { Json } from './json.ts'

/** The means to wait before a tool starts, for tools that cannot run at any time. The call starts after the wait. */
export interface Readying {
  readonly runId: string
  /** The name of the tool. */
  readonly tool: string
  /** The key of the call. Ids of questions begin with it. */
  readonly key: string
  /** Returns true if a question was already answered. */
  isAnswered(id: string): boolean
  /** Returns true if a question is open, for example after a crash. */
  isAsked(id: string): boolean
  ask<T>(id: string, question: Asking<T>): Promise<T>
  /** Ends a question that needs no answer any more. */
  withdraw(id: string): void
  /** Keeps something of the call in the log. Resolves when those who read the journal see it. */
  note(key: string, value: Json): Promise<void>
}
