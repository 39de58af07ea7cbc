import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type Agent, type ToolOptions, tool } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { formatTrace, manualHost, type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import { loadAgents } from '../loadAgents.ts'
import { type RegistryOptions, registry } from '../registry.ts'

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

interface Traced {
  readonly trace: string
  readonly asked: readonly LanguageModelV4CallOptions[]
}

/** Returns what an agent did with a scripted model, and the model's requests: two agents are equal if these are. */
async function traceOf(make: (model: ScriptedModel) => Agent, turns: readonly ScriptedTurn[]): Promise<Traced> {
  const model = scriptedModel(...turns)
  const events: AnyEvent[] = []
  const listen = (event: AnyEvent): void => void events.push(event)
  const run = make(model).start('Go', { id: 'run', host: manualHost(), observers: [listen] })
  await run.settled
  return { trace: formatTrace(events), asked: model.calls }
}

/** A tool whose observations are long, for agents that are declared and in code. */
export const search: ToolOptions<Record<string, never>, string> = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: () => 'Found nothing. '.repeat(50),
})

/** A turn that calls it. */
export const searching: { readonly calls: readonly { readonly name: string; readonly input: object }[] } = {
  calls: [{ name: 'search', input: {} }],
}
