import { AgentError } from './error.ts'
import type { Agent, ResumeOptions } from './run.ts'
import type { RunState } from './state.ts'

/** Another version of the agent goes on with a run. Another agent would not know what its calls and notes are about. */
export function checkAgent(
  { name }: Pick<Agent, 'name'>,
  { runId, agent: began }: RunState,
  { renamedFrom }: Pick<ResumeOptions, 'renamedFrom'>,
): void {
  if (began === name || began === renamedFrom) return
  const advice = `Resume it with "${began}", or with { renamedFrom: "${began}" } if that is what "${name}" was called.`
  throw new AgentError(
    'agent_mismatch',
    `The run "${runId}" is of the agent "${began}", and not of "${name}". ${advice}`,
  )
}
