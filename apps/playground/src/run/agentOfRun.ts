import { AgentError } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import type { KeptAgent } from '../kept/checkRecord.ts'
import { lockedModel } from '../models/index.ts'
import { fileOf } from './edits.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

/** The agent of a run that came without one, such as in a log from elsewhere: the one of this page with its name. */
export async function agentOfRun(
  journal: Journal,
  runId: string,
  { edits }: Pick<PlaygroundState, 'edits'>,
): Promise<KeptAgent> {
  const [started] = await journal.read(runId)
  if (!started) throw new AgentError('run_unknown', 'It may have been deleted, here or in another tab.')
  const name = started.type === 'started' ? started.agent : ''
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
  for (const offer of agents) {
    const file = fileOf(offer, edits)
    if (nameIn(file) === name) return { offer: offer.id, file }
  }
  const advice = 'Edit an agent so that it has this name and the same tools, use it, and open the run again.'
  throw new AgentError('agent_mismatch', `No agent of this page is called “${name}”. ${advice}`)
}
