import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { DEV } from '#checks'
import type { Failure } from './error.ts'
import { assertOption } from './options.ts'
import type { Signal } from './signal.ts'

/** Temperature, output tokens, reasoning effort and the rest of a model's own settings. */
export type ModelSettings = Omit<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'abortSignal' | 'includeRawChunks'>

/**
 * Changes to the next turn, compared with the agent's settings. Steps before `think` decide them from the state, so
 * they decide the same after a reload. A plan lasts one pass of the backend.
 */
export interface TurnPlan {
  /** Replaces the agent's instructions. */
  readonly instructions?: string
  /** The only tools that the model sees, by name. Several lists are intersected. */
  readonly tools?: readonly string[]
  readonly toolChoice?: LanguageModelV4ToolChoice
  /** Called once the turn is in the log, before its calls start: code of a step that may reject some of them. */
  readonly after?: readonly (() => void)[]
  /** Replaces the agent's models. */
  readonly models?: readonly LanguageModelV4[]
  /** Overrides the settings of `think`. */
  readonly settings?: ModelSettings
  /** User messages with this `seq` or a higher one wait for the turn after. */
  readonly readUntil?: number
  /** Work that runs concurrently with the model call: `concurrently(work)`. The turn counts only once all of it is done. */
  readonly concurrent?: Concurrent
}

/** Work that runs concurrently with a model call, and the code for it. `concurrently()` makes it. */
export interface Concurrent {
  readonly work: readonly (() => PromiseLike<ConcurrentResult>)[]
  /** Calls the models meanwhile. Work that has an outcome aborts the call, and discards its turn with this error. */
  ask<Turn>(
    work: Concurrent['work'],
    abortSignal: AbortSignal,
    askModels: (abortSignal: AbortSignal) => Promise<Turn>,
  ): Promise<{ readonly turn: Turn; readonly outcome?: Signal | 'void'; readonly error?: Failure }>
}

/** The result of concurrent work: a signal settles the run, `void` requests the discarded turn again. */
export type ConcurrentResult = Signal | 'void' | undefined

/** The plans of successive turns. `turn` is the number of the next turn. */
export interface Planner {
  change(turn: number, change: TurnPlan): void
  of(turn: number): TurnPlan
  /** Clears the plan for a new pass. */
  forget(): void
}

/** The shared empty plan: a plan is read often, and seldom changed. */
const noPlan: TurnPlan = /* @__PURE__ */ Object.freeze({})

export function createPlanner(): Planner {
  let planned = 0
  let plan = noPlan
  const of = (turn: number): TurnPlan => (turn === planned ? plan : noPlan)
  return {
    of,
    change(turn, change) {
      checkPlanTools(change?.tools)
      const { concurrent }: TurnPlan = Object(change)
      assertOption(
        !concurrent || typeof concurrent.ask === 'function',
        DEV && 'The `concurrent` of a plan must be made with concurrently() of @interleave/core/steps.',
      )
      plan = combine(of(turn), change)
      planned = turn
    },
    forget() {
      plan = noPlan
    },
  }
}

/** Throws if these are not the tools of a plan. */
export const checkPlanTools = (tools: unknown): void =>
  assertOption(tools === undefined || Array.isArray(tools), DEV && 'The `tools` of a plan must be a list.')

/** Combines two plans. The later one overrides; restrictions are intersected. */
export function combine(before: TurnPlan, change: TurnPlan): TurnPlan {
  const { tools, settings, after, readUntil, concurrent } = before
  return {
    ...before,
    ...change,
    ...(tools && { tools: tools.filter((name) => change.tools?.includes(name) ?? true) }),
    ...(settings && { settings: { ...settings, ...change.settings } }),
    ...(after && { after: [...after, ...(change.after ?? [])] }),
    ...(readUntil !== undefined && { readUntil: Math.min(readUntil, change.readUntil ?? readUntil) }),
    ...(concurrent && {
      concurrent: { ...concurrent, work: [...concurrent.work, ...(change.concurrent?.work ?? [])] },
    }),
  }
}
