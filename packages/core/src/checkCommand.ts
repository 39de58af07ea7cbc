import { AgentError } from './error.ts'
import { demand } from './options.ts'
import { type GivenContent, isBlank } from './part.ts'
import type { RunState } from './state.ts'

export const checkMessage = (message: GivenContent): void =>
  demand(!isBlank(message), 'say() needs a text that is not empty.')

/** Throws if the run waits for a message or a reply, since `resume` cannot continue it. */
export function checkResume({ rest }: RunState): void {
  if (!rest || rest.type === 'failed' || rest.type === 'stopped') return
  throw new AgentError('run_busy', `A run with the signal "${rest.type}" continues with say() or reply().`)
}
