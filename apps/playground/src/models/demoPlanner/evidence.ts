import type { Candidate } from './candidates.ts'
import type { Observation } from './conversation.ts'
import type { Question } from './question.ts'
import type { Slot } from './slot.ts'
import type { PlannerTool } from './toolbox.ts'

/** Everything that a value can be taken from. */
export interface Evidence {
  readonly clause: string
  /** The clause uses the result of the one before it. */
  readonly chained: boolean
  /** Texts to look at after the clause: the rest of the message, then earlier ones, the latest first. */
  readonly around: readonly string[]
  /** The results of the calls, those for this message last. */
  readonly observations: readonly Observation[]
  /** The call for this message whose result this clause uses. */
  readonly previous: Observation | undefined
  /** The user's answers by question; null where the user gave none. */
  readonly answers: ReadonlyMap<string, unknown>
  /** The input of a call that this one repeats with a change. */
  readonly base: Readonly<Record<string, unknown>> | undefined
  /** Returns true if another tool can list the values of a field. */
  readonly findable: (slot: Slot) => boolean
  readonly now: Date
}

export interface Missing {
  readonly slot: Slot
  /** Undefined when the user was asked often enough. */
  readonly question: Question | undefined
  readonly candidates: readonly Candidate[]
}

interface PlannedCall {
  readonly tool: string
  readonly input: unknown
}

/** One turn of the planner, with its reasons in plain words. */
export type Decision =
  | { readonly type: 'call'; readonly thoughts: readonly string[]; readonly calls: readonly PlannedCall[] }
  | { readonly type: 'say'; readonly thoughts: readonly string[]; readonly text: string; readonly question?: string }
  | { readonly type: 'fail'; readonly thoughts: readonly string[]; readonly message: string }

/** The outcome of one request of the message in this turn. */
export type Move =
  | { readonly type: 'done' | 'wait' }
  | { readonly type: 'call'; readonly call: PlannedCall; readonly notes: readonly string[]; readonly why?: string }
  | { readonly type: 'ask'; readonly tool: PlannerTool; readonly missing: Missing }
  | { readonly type: 'unable'; readonly reason: string }
