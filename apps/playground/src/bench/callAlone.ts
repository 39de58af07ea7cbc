import { type Agent, agent, type Json, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'

/** One call of a tool without a model: a run of its own, with an input that a person wrote. */
export interface LoneCall {
  readonly tool: string
  readonly input: Json
}

/**
 * Calls one tool of an agent through everything that a run does with a call: its input is checked, a person approves it where
 * one has to, its time is limited, its questions are asked. Nothing is kept.
 */
export function callAlone({ tools }: Pick<Agent, 'tools'>, { tool, input }: LoneCall): Run {
  const spec = tools[tool]
  if (!spec) throw new Error(`The agent has no tool “${tool}”.`)
  const asIfModel = scriptedModel({ calls: [{ name: tool, input }] }, 'Done.')
  return agent({ name: 'tool bench', model: asIfModel, tools: { [tool]: spec } }).start(`Call ${tool}`)
}
