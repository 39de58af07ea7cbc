import { AgentError } from '@interleave/core'
import { agents, type Offer } from '../agents/index.ts'
import type { KeptAgent } from '../kept/checkRecord.ts'
import type { Kept } from '../kept/Kept.ts'
import { lockedModel } from '../models/index.ts'
import type { ServerRuns } from '../remote/serverRuns.ts'
import { fileOf } from './edits.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

/** The agent of a run that came without one, such as in a log from elsewhere: the one of this page with its name. */
export async function agentOfRun(
  { journal }: Pick<Kept, 'journal'>,
  runId: string,
  { edits }: Pick<PlaygroundState, 'edits'>,
): Promise<KeptAgent> {
  const [started] = await journal.read(runId)
  if (!started) throw new AgentError('run_unknown', 'It may have been deleted, here or in another tab.')
  const name = started.type === 'started' ? started.agent : ''
  const found = await named(name, (offer) => fileOf(offer, edits))
  if (found) return found
  const advice = 'Edit an agent so that it has this name and the same tools, use it, and open the run again.'
  throw new AgentError('agent_mismatch', `No agent of this page is called “${name}”. ${advice}`)
}

/** Returns the agent of a run on a server, which has the original files. */
export async function agentOnServer(server: ServerRuns, runId: string): Promise<KeptAgent> {
  const name = await server.agentOf(runId)
  const found = await named(name, ({ file }) => file)
  if (found) return found
  throw new AgentError(
    'agent_mismatch',
    `No agent of this page is called “${name}”. Load the page again: the server has another version.`,
  )
}

async function named(name: string, fileFor: (offer: Offer) => string): Promise<KeptAgent | undefined> {
  const { agentFrom } = await import('../agents/agentFrom.ts')
  const model = lockedModel({ type: 'demo' })
  /** An edited file may be wrong; it is not this run's then. */
  const nameIn = (file: string): string | undefined => {
    try {
      return agentFrom(file, { model }).name
    } catch {
      return undefined
    }
  }
  const offer = agents.find((each) => nameIn(fileFor(each)) === name)
  return offer && { offer: offer.id, file: fileFor(offer) }
}
