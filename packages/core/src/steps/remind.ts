import { latestTurn } from '../openCalls.ts'
import type { Step } from '../run.ts'

/** Tells the model to go on after a turn that called nothing and that no stop rule took for the answer. */
export const remind = (): Step => (run) => {
  const turn = latestTurn(run.state)
  if (!turn || turn.error || turn.calls.length > 0 || run.state.pending.length > 0) return undefined
  const terminal = Object.values(run.agent.tools).find((spec) => spec.terminal)
  const how = terminal ? `call ${terminal.name} if you have the final answer` : 'call a tool'
  run.emit({ type: 'said', by: 'agent', content: `You are not done. Go on, or ${how}.` })
  return undefined
}
