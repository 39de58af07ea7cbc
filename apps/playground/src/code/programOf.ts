import type { Event } from '@interleave/core'
import { readAgent } from '../editor/agentForm.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import type { Place } from '../workers/Place.ts'
import { createProject, type Project, type Variant } from './project.ts'
import type { ProgramHost } from './Writing.ts'

/** Returns the project of an agent. Throws a message for the user if it has none. */
export function programOf(
  { file, offer }: Pick<Conversation, 'file' | 'offer'>,
  variant: Variant,
  events: readonly Event[] = [],
): Project {
  const agent = readAgent(file)
  if (!agent) throw new Error('The file of this agent cannot be read. Edit the agent to see what is wrong.')
  const [prompt = 'Hello'] = offer.prompts
  return createProject({ ...agent, ...variant, prompt, events, origin: location.origin })
}

/** Returns the host of the generated program for a host of this page. */
export function hostOf(place: Place): ProgramHost {
  if (place === 'page') return 'page'
  return place === 'worker' || place === 'sharedWorker' ? 'worker' : 'server'
}
