import { AgentError } from '../error.ts'
import { joined } from '../history/scratchpad.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { failed } from '../signal.ts'
import { textTurn, withheld } from '../step.ts'

/** Creates a stop rule: a turn without tool calls is the answer, and its text the output. */
export const textAnswer = (): Step => (run) => {
  const turn = textTurn(run.state)
  if (!turn) return undefined
  const filtered = withheld(turn)
  if (filtered) return filtered
  const output = joined(turn, 'text')
  if (turn.finish?.unified !== 'length') return { type: 'answer', output, reason: 'text' }
  if (output !== '') return { type: 'answer', output, reason: 'length' }
  const cut = 'The model reached its limit of output before it answered. Raise maxOutputTokens.'
  return failed(new AgentError('model_incomplete', cut))
}

/** Creates the stop rule that fits the agent: that of its `output`, or plain text. */
export function onOutput(): Step {
  const plain = textAnswer()
  const step = (run: RunContext) => (run.agent.output?.stop ?? plain)(run)
  const tools = (agent: Pick<Agent, 'output'>) => agent.output?.stop.tools?.(agent) ?? []
  return Object.assign(step, { tools })
}
