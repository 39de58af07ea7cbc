import { AgentError } from './error.ts'
import type { OpenOptions } from './journal.ts'
import type { RunState } from './state.ts'

/**
 * Accepts another version of the agent for a run, but not another agent, which would not know the run's calls and
 * notes.
 */
export function checkAgent(
  { name }: { readonly name: string },
  { runId, agent: began }: RunState,
  { renamedFrom }: Pick<OpenOptions, 'renamedFrom'>,
): void {
  if (began === name || began === renamedFrom) return
  const advice = `Resume it with "${began}", or with { renamedFrom: "${began}" } if that is what "${name}" was called.`
  throw new AgentError(
    'agent_mismatch',
    `The run "${runId}" is of the agent "${began}", and not of "${name}". ${advice}`,
  )
}
