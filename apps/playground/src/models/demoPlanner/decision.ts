import type { Missing } from './evidence.ts'
import type { PlannerTool } from './toolbox.ts'

export interface PlannedCall {
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
