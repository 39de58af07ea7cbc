import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Agent } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { formatTrace, manualHost, type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'

export interface Traced {
  readonly trace: string
  readonly asked: readonly LanguageModelV4CallOptions[]
}

/** Returns what an agent did with a scripted model, and the model's requests: two agents are equal if these are. */
export async function traceOf(make: (model: ScriptedModel) => Agent, turns: readonly ScriptedTurn[]): Promise<Traced> {
  const model = scriptedModel(...turns)
  const events: AnyEvent[] = []
  const observer = { onEvent: (event: AnyEvent) => events.push(event) }
  const run = make(model).start('Go', { id: 'run', host: manualHost(), observers: [observer] })
  await run.settled
  return { trace: formatTrace(events), asked: model.calls }
}
