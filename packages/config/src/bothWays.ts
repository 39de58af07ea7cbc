import type { Agent } from '@interleave/core'
import type { ScriptedModel, ScriptedTurn } from '@interleave/testing'
import { loadAgents } from './loadAgents.ts'
import { type RegistryOptions, registry } from './registry.ts'
import { type Traced, traceOf } from './traceOf.ts'

/** An agent `a`, declared and in code. The registry has the scripted model as `fast`. */
export interface TwoWays extends Omit<RegistryOptions, 'models'> {
  readonly text: string
  readonly byHand: (model: ScriptedModel) => Agent
  readonly turns: readonly ScriptedTurn[]
}

/** Runs both with the same turns and compares results and prompts. */
export async function bothWays({
  text,
  byHand,
  turns,
  ...known
}: TwoWays): Promise<{ declared: Traced; coded: Traced }> {
  const load = (fast: ScriptedModel): Agent => loadAgents(text, registry({ ...known, models: { fast } })).a as Agent
  return { declared: await traceOf(load, turns), coded: await traceOf(byHand, turns) }
}
