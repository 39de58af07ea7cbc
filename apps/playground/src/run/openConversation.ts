import { AgentError, type Event, localHost } from '@interleave/core'
import { salvage } from '@interleave/core/journal'
import { agents, type Offer } from '../agents/index.ts'
import type { Kept } from '../kept/Kept.ts'
import { fromKept, toKept } from '../kept/keptConnection.ts'
import { agentOfRun } from './agentOfRun.ts'
import { createAgent, type Thinking } from './createAgent.ts'
import { graphOf } from './graphOf.ts'
import { textOf } from './messages.ts'
import { openRun, type Way } from './openRun.ts'
import type { Conversation, PlaygroundState } from './PlaygroundState.ts'

export interface Opening extends Thinking {
  readonly offer: Offer
  readonly file: string
}

/** Opens a run in this page, and keeps what it is opened with for a later visit. */
export async function openConversation(kept: Kept, way: Way, opening: Opening): Promise<Conversation> {
  const { offer, file, connection, lacksKey = false } = opening
  const agent = await createAgent(file, opening)
  const record = { runId: way.id, offer: offer.id, file, connection: toKept(connection) }
  // Before the run begins, so that no run is without. Where there is no room, the run itself says so.
  await kept.records.put(record).catch(() => {})
  const { run, log, found } = await openRun(agent, way, kept.journal)
  const title = titleOf(log.events)
  return { run, log, found, offer, file, connection, lacksKey, title, graph: graphOf(agent.backend) }
}

/** Goes on with a run of an earlier visit, with what it was started with. */
export async function openKept(kept: Kept, id: string, state: PlaygroundState): Promise<Conversation> {
  const past = await kept.journal.read(id)
  return openConversation(kept, { type: 'resume', id }, { ...(await restore(kept, id, state)), past })
}

/** A new run of what can be read of a damaged one. */
export async function openSalvaged(kept: Kept, damaged: string, state: PlaygroundState): Promise<Conversation> {
  const { file } = await salvage(kept.journal, damaged)
  if (!file) throw new AgentError('log_invalid', 'Nothing of the run can be read. Export it as it is, and delete it.')
  const way = { type: 'fork', id: localHost.newId(), of: file } as const
  return openConversation(kept, way, { ...(await restore(kept, damaged, state)), past: file.events })
}

/** What a run was started with. */
async function restore(kept: Kept, id: string, state: PlaygroundState): Promise<Opening> {
  const record = await kept.records.get(id)
  const { offer, file } = record ?? (await agentOfRun(kept.journal, id, state))
  const { connection, lacksKey } = record
    ? fromKept(record.connection, state.connection)
    : { connection: state.connection, lacksKey: false }
  const known = agents.find((each) => each.id === offer) ?? state.offer
  return { offer: known, file, connection, lacksKey, prices: state.prices }
}

function titleOf(events: readonly Event[]): string {
  const said = events.find((event) => event.type === 'said')
  return said ? textOf(said.content).slice(0, 120) : ''
}
