import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { type Slot, slotsOf } from './slot.ts'
import { concepts } from './tokenise.ts'

/** A tool with what its schema and its words say about it. */
export interface PlannerTool {
  readonly name: string
  readonly description: string
  readonly slots: readonly Slot[]
  /** The weight with which each concept suggests this tool. */
  readonly weights: ReadonlyMap<string, number>
}

/** The tools of a call, with the two that have a part of their own: asking the user, and giving the final answer. */
export interface Toolbox {
  readonly tools: readonly PlannerTool[]
  readonly ask: PlannerTool | undefined
  readonly final: PlannerTool | undefined
  /** In how many tools a concept occurs. */
  readonly spread: ReadonlyMap<string, number>
}

export function toolboxOf({ tools = [], toolChoice }: LanguageModelV4CallOptions): Toolbox {
  const functions = toolChoice?.type === 'none' ? [] : tools.filter((tool) => tool.type === 'function')
  const all = functions.map(toPlannerTool)
  const ask = all.find(isAsk)
  const final = all.find(isFinal)
  const own = all.filter((tool) => tool !== ask && tool !== final)
  const spread = new Map<string, number>()
  for (const { weights } of own) for (const key of weights.keys()) spread.set(key, (spread.get(key) ?? 0) + 1)
  return { tools: own, ask, final, spread }
}

const isAsk = ({ name, slots }: PlannerTool): boolean =>
  /^ask_?(?:the_?)?(?:user|person|human)$/i.test(name) && slots.some((slot) => slot.name === 'question')

const isFinal = ({ name, description }: PlannerTool): boolean =>
  /^final_?answer$/i.test(name) || /\bgives? the final answer\b/i.test(description)

function toPlannerTool(tool: LanguageModelV4FunctionTool): PlannerTool {
  const { name, description = '' } = tool
  const slots = slotsOf(tool)
  const weights = new Map<string, number>()
  const weigh = (text: string, weight: number): void => {
    for (const key of concepts(text)) weights.set(key, Math.max(weight, weights.get(key) ?? 0))
  }
  weigh(name, 3)
  weigh(description, 1.5)
  for (const slot of slots) {
    weigh(slot.name, 1)
    weigh(slot.description, 0.5)
    for (const option of slot.options) weigh(String(option), 2)
  }
  return { name, description, slots, weights }
}
