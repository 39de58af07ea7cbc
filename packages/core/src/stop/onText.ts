import { AgentError } from '../error.ts'
import { failed } from '../failed.ts'
import type { Step } from '../run.ts'
import { joined } from '../scratchpad.ts'
import { textTurn, withheld } from '../textTurn.ts'

/** A turn without tool calls is the answer, and its text the output. */
export const onText = (): Step => (run) => {
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
