import { strToU8, zipSync } from 'fflate'
import { download } from '../parts/download.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { programOf } from './programOf.ts'
import type { Variant } from './project.ts'
import { release } from './release.ts'

/**
 * Downloads a project with the agent of a run. Its model replays the run's turns, without secrets. Returns the commands
 * that start it.
 */
export function saveProject(conversation: Conversation, variant: Variant): string {
  const { name, files } = programOf(conversation, variant, conversation.log.events)
  const entries = [...files].map(([path, text]) => [`${name}/${path}`, strToU8(text)] as const)
  download(`${name}.zip`, zipSync(Object.fromEntries(entries)), 'application/zip')
  return release.startProject(name)
}
