import type { Step } from '../../run.ts'
import { terminalTools, textTurn } from '../../step.ts'

/** Reminds the model to continue after a turn that called nothing and that no stop rule accepted as the answer. */
export const remind = (): Step => (run) => {
  if (!textTurn(run.state) || run.state.pending.length > 0) return undefined
  const [terminal] = terminalTools(run.agent)
  const how = terminal ? `call ${terminal} if you have the final answer` : 'call a tool'
  run.emit({ type: 'said', by: 'agent', content: `You are not done. Go on, or ${how}.` })
  return undefined
}
