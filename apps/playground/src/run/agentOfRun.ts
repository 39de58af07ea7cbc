import { AgentError } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { agents } from '../agents/index.ts'
import type { KeptAgent } from '../kept/checkRecord.ts'
import { createAgent } from './createAgent.ts'
import { fileOf } from './edits.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

/** The agent of a run that came without one, such as in a log from elsewhere: the one of this page with its name. */
export async function agentOfRun(
  journal: Journal,
  runId: string,
  { edits, prices }: Pick<PlaygroundState, 'edits' | 'prices'>,
): Promise<KeptAgent> {
  const [started] = await journal.read(runId)
  if (!started) throw new AgentError('run_unknown', 'It may have been deleted, here or in another tab.')
  const name = started.type === 'started' ? started.agent : ''
  for (const offer of agents) {
    const file = fileOf(offer, edits)
    // An edited file may be wrong; it is not this run's then.
    const agent = await createAgent(file, { connection: { type: 'demo' }, prices }).catch(() => undefined)
    if (agent?.name === name) return { offer: offer.id, file }
  }
  const advice = 'Edit an agent so that it has this name and the same tools, use it, and open the run again.'
  throw new AgentError('agent_mismatch', `No agent of this page is called “${name}”. ${advice}`)
}
