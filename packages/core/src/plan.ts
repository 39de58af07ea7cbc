import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import type { Signal } from './signal.ts'

/** Temperature, output tokens, reasoning effort and the rest of a model's own settings. */
export type ModelSettings = Omit<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'abortSignal' | 'includeRawChunks'>

/**
 * How the next turn is asked for, where it differs from what the agent says. Steps before `think` decide it by looking at
 * the state, so that after a reload they decide the same; it is forgotten with the next pass of the backend.
 */
export interface TurnPlan {
  /** Instead of the agent's instructions. */
  readonly instructions?: string
  /** The only tools that the model is told of, by name. Of several such lists, what is in all of them. */
  readonly tools?: readonly string[]
  readonly toolChoice?: LanguageModelV4ToolChoice
  /** So many of its calls run at most. The others are refused, and the model reads why. */
  readonly maxCalls?: number
  /** Instead of the agent's models. */
  readonly models?: readonly LanguageModelV4[]
  /** Over the settings of `think`. */
  readonly settings?: ModelSettings
  /** Messages of the user with this `seq` or a higher one wait for the turn after. */
  readonly hearBefore?: number
  /** Work beside the model call. Nothing of the turn counts before all of it is done. */
  readonly beside?: readonly (() => PromiseLike<Beside>)[]
}

/** What came of work beside a turn: a signal gives the turn up and the run rests, `void` gives it up and it is asked for anew. */
export type Beside = Signal | 'void' | undefined

/** The plan of one turn after another. `turn` is the number of the turn that is next. */
export interface Planner {
  change(turn: number, change: TurnPlan): void
  of(turn: number): TurnPlan
  /** A new pass decides anew. */
  forget(): void
}

export function createPlanner(): Planner {
  let planned = 0
  let plan: TurnPlan = {}
  const of = (turn: number): TurnPlan => (turn === planned ? plan : {})
  return {
    of,
    change(turn, change) {
      plan = combine(of(turn), change)
      planned = turn
    },
    forget() {
      plan = {}
    },
  }
}

/** What is said later goes over what was said before. Of what narrows, both hold. */
export function combine(before: TurnPlan, change: TurnPlan): TurnPlan {
  const { tools = change.tools, hearBefore = change.hearBefore, maxCalls = change.maxCalls } = before
  const allowed = tools?.filter((name) => change.tools?.includes(name) ?? true)
  const settings = before.settings || change.settings ? { ...before.settings, ...change.settings } : undefined
  return {
    ...before,
    ...change,
    ...(allowed && { tools: allowed }),
    ...(settings && { settings }),
    ...(maxCalls !== undefined && { maxCalls: Math.min(maxCalls, change.maxCalls ?? maxCalls) }),
    ...(hearBefore !== undefined && { hearBefore: Math.min(hearBefore, change.hearBefore ?? hearBefore) }),
    ...(before.beside && { beside: [...before.beside, ...(change.beside ?? [])] }),
  }
}
