import { AgentError, type Event, localHost } from '@interleave/core'
import { salvage } from '@interleave/core/journal'
import { agents, type Offer } from '../agents/index.ts'
import type { Kept } from '../kept/Kept.ts'
import { fromKept, type Restored, toKept } from '../kept/keptConnection.ts'
import { agentOfRun } from './agentOfRun.ts'
import { createAgent } from './createAgent.ts'
import { createFinder } from './finder.ts'
import { graphOf } from './graphOf.ts'
import { textOf } from './messages.ts'
import { createMind, type Thinking } from './mind.ts'
import { openRun, type Way } from './openRun.ts'
import type { Conversation, PlaygroundState } from './PlaygroundState.ts'

export interface Opening extends Thinking {
  readonly offer: Offer
  readonly file: string
}

/** Opens a run in this page, and keeps what it is opened with for other tabs and a later visit. */
export async function openConversation(kept: Kept, way: Way, opening: Opening): Promise<Conversation> {
  const { offer, file, connection, lacksKey = false } = opening
  const mind = await createMind(opening)
  const finder = createFinder()
  const agent = await createAgent(file, { mind, journal: kept.journal, onFound: finder.find })
  // Before the run begins, so that no run is without. Where there is no room, the run itself says so.
  if (way.type !== 'resume' || !(await kept.records.get(way.id))) await record(kept, way.id, opening)
  const { run, log } = await openRun(agent, way, kept)
  finder.watch(run)
  if (way.type !== 'resume') finder.forget()
  const title = titleOf(log.events)
  return { run, log, finder, mind, offer, file, connection, lacksKey, title, graph: graphOf(agent.backend) }
}

/** Goes on with a run of an earlier visit, with what it was started with, or joins another tab that has it open. */
export const openKept = async (kept: Kept, id: string, state: PlaygroundState): Promise<Conversation> =>
  openConversation(kept, { type: 'resume', id }, await restore(kept, id, state))

/** A new run of what can be read of a damaged one. */
export async function openSalvaged(kept: Kept, damaged: string, state: PlaygroundState): Promise<Conversation> {
  const { file } = await salvage(kept.journal, damaged)
  if (!file) throw new AgentError('log_invalid', 'Nothing of the run can be read. Export it as it is, and delete it.')
  const way = { type: 'fork', id: localHost.newId(), of: file } as const
  return openConversation(kept, way, await restore(kept, damaged, state))
}

/** The same run with another model, also on later visits. */
export async function reconnect(kept: Kept, conversation: Conversation, thinking: Thinking): Promise<Conversation> {
  const { connection, lacksKey = false } = thinking
  await conversation.mind.change(thinking)
  const after = { ...conversation, connection, lacksKey }
  await record(kept, conversation.run.id, after)
  return after
}

/** The same run with the model that another tab chose for it. */
export async function followModel(
  { records }: Kept,
  conversation: Conversation,
  { connection, prices }: PlaygroundState,
): Promise<Conversation> {
  const found = await records.get(conversation.run.id)
  if (!found) return conversation
  const restored: Restored = fromKept(found.connection, connection)
  await conversation.mind.change({ ...restored, prices })
  return { ...conversation, ...restored }
}

const record = ({ records }: Kept, runId: string, { offer, file, connection }: Omit<Opening, 'prices'>) =>
  records.put({ runId, offer: offer.id, file, connection: toKept(connection) }).catch(() => {})

/** What a run was started with. */
async function restore(kept: Kept, id: string, state: PlaygroundState): Promise<Opening> {
  const started = await kept.records.get(id)
  const { offer, file } = started ?? (await agentOfRun(kept.journal, id, state))
  const { connection, lacksKey } = started
    ? fromKept(started.connection, state.connection)
    : { connection: state.connection, lacksKey: false }
  const known = agents.find((each) => each.id === offer) ?? state.offer
  return { offer: known, file, connection, lacksKey, prices: state.prices }
}

function titleOf(events: readonly Event[]): string {
  const said = events.find((event) => event.type === 'said')
  return said ? textOf(said.content).slice(0, 120) : ''
}
