import { AgentError, toFailure } from '../error.ts'
import { awaitsProvider, latestTurn } from '../openCalls.ts'
import type { Step } from '../run.ts'
import { joined } from '../scratchpad.ts'

/** A turn without tool calls is the answer, and its text the output. */
export const onText = (): Step => (run) => {
  const turn = latestTurn(run.state)
  if (!turn || turn.error || turn.calls.length > 0 || awaitsProvider(turn)) return undefined
  if (turn.finish?.unified === 'content-filter') {
    const filtered = new AgentError('model_filtered', "The provider's content filter withheld the answer.")
    return { type: 'failed', error: toFailure(filtered, 'model_filtered') }
  }
  const output = joined(turn, 'text')
  if (turn.finish?.unified !== 'length') return { type: 'answer', output, reason: 'text' }
  if (output !== '') return { type: 'answer', output, reason: 'length' }
  const cut = 'The model reached its limit of output before it answered. Raise maxOutputTokens.'
  return { type: 'failed', error: toFailure(new AgentError('model_incomplete', cut), 'model_incomplete') }
}
