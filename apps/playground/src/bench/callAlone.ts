import { type Agent, agent, type Json, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'

/** One call of a tool without a model: a run of its own, with an input that a person wrote. */
export interface LoneCall {
  readonly tool: string
  readonly input: Json
}

/** Calls one tool of an agent through all that a run does with a call: checks, approval, time limit, questions. */
export function callAlone({ tools }: Pick<Agent, 'tools'>, { tool, input }: LoneCall): Run {
  const spec = tools[tool]
  if (!spec) throw new Error(`The agent has no tool “${tool}”.`)
  const asIfModel = scriptedModel({ calls: [{ name: tool, input }] }, 'Done.')
  return agent({ name: 'tool bench', model: asIfModel, tools: { [tool]: spec } }).start(`Call ${tool}`)
}
