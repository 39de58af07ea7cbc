import { AgentError, type Event, localHost, type Signal } from '@interleave/core'
import { recoverRun } from '@interleave/core/journal'
import { agents, type Offer } from '../agents/index.ts'
import { pageFunctions } from '../docs/pageFunctions.ts'
import { lockedModel } from '../models/index.ts'
import type { ServerRuns } from '../remote/serverRuns.ts'
import type { StoredAgent } from '../storage/checkRecord.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { serverOf } from '../storage/serverOf.ts'
import { fromStored, toStored } from '../storage/storedConnection.ts'
import { isServed, type Place } from '../workers/Place.ts'
import { fileOf } from './edits.ts'
import { createFinder, type Finder } from './finder.ts'
import { graphOf } from './graphOf.ts'
import { handleOf } from './handleOf.ts'
import { textOf } from './messages.ts'
import { type Opened, openRun, type Way } from './openRun.ts'
import type { Conversation, PlaygroundState } from './PlaygroundState.ts'
import { createRunModel, type ModelChoice } from './runModel.ts'

export interface Opening extends ModelChoice {
  readonly offer: Offer
  readonly file: string
  readonly place: Place
}

/** Opens a run in this page, and stores its settings for other tabs and a later visit. */
export async function openConversation(storage: PageStorage, way: Way, opening: Opening): Promise<Conversation> {
  const { offer, file, connection, lacksKey = false, place } = opening
  const { journal, bank } = storage
  const permissions = isServed(place) ? undefined : storage.permissions
  const runModel = await createRunModel(opening)
  const finder = createFinder()
  const { agentForRun } = await import('./agentForRun.ts')
  const agent = agentForRun(file, { runModel, journal, page: pageFunctions, permissions, bank, onFound: finder.find })
  // Before the run begins, so that each run has a record. If there is no space, the run itself reports it.
  if (way.type !== 'resume' || !(await storage.records.get(way.id))) await record(storage, way.id, opening)
  const handle = await handleOf(agent, { storage, runId: way.id, file, place, runModel })
  const { run, log } = await openRun(handle, way, storage).catch((error: unknown) => {
    handle.end?.()
    throw error
  })
  noteFound(finder, { run, log, way, place })
  const close = (): void => {
    run.close?.()
    handle.end?.()
  }
  const kill = (): void => (handle.kill ?? reloadWithoutGoodbye)()
  const title = titleOf(way.type === 'start' ? way.text : firstSaid(log.events))
  const graph = graphOf(agent.backend)
  return {
    run,
    log,
    finder,
    runModel,
    offer,
    file,
    connection,
    lacksKey,
    place,
    permissions,
    close,
    kill,
    title,
    graph,
  }
}

/** Resumes a run of an earlier visit with its stored settings, or joins another tab that has it open. */
export const openStored = async (storage: PageStorage, id: string, state: PlaygroundState): Promise<Conversation> =>
  openConversation(storage, { type: 'resume', id }, await restore(storage, id, state))

/** Opens a new run with the readable part of a damaged one. */
export async function openRecovered(
  storage: PageStorage,
  damaged: string,
  state: PlaygroundState,
): Promise<Conversation> {
  const { file } = await recoverRun(storage.journal, damaged)
  if (!file) throw new AgentError('log_invalid', 'Nothing of the run can be read. Export it as it is, and delete it.')
  const way = { type: 'fork', id: localHost.newId(), of: file } as const
  const conversation = await openConversation(storage, way, await restore(storage, damaged, state))
  // The user wants it to continue.
  if (isImported(conversation.run.state.signal)) conversation.run.resume()
  return conversation
}

/** Changes the host of a run, from the next time that it is opened. */
export async function moveTo({ records }: PageStorage, runId: string, place: Place): Promise<void> {
  const found = await records.get(runId)
  if (found) await records.put({ ...found, place })
}

/** Starts a run again that never began on its host. */
export const restart = (
  storage: PageStorage,
  { run, ...others }: Conversation,
  opening: Pick<Opening, 'place' | 'prices'>,
) =>
  openConversation(
    storage,
    { type: 'start', id: run.id, text: firstSaid(others.log.events) },
    { ...others, ...opening },
  )

/** The same run with another model, also on later visits. */
export async function reconnect(
  storage: PageStorage,
  conversation: Conversation,
  choice: ModelChoice,
  options: { readonly isUnderWay: boolean },
): Promise<Conversation> {
  const { connection, lacksKey = false } = choice
  await conversation.runModel.change(choice, options)
  const after = { ...conversation, connection, lacksKey }
  await record(storage, conversation.run.id, after)
  return after
}

/** The same run with the model that another tab chose for it. */
export async function followModel(
  { records }: PageStorage,
  conversation: Conversation,
  { keys, prices }: PlaygroundState,
): Promise<Conversation> {
  const found = await records.get(conversation.run.id)
  if (!found) return conversation
  const restored = fromStored(found.connection, keys)
  await conversation.runModel.change({ ...restored, prices }, { isUnderWay: !conversation.run.state.signal })
  return { ...conversation, ...restored }
}

const record = ({ records }: PageStorage, runId: string, { offer, file, connection, place }: Omit<Opening, 'prices'>) =>
  records.put({ runId, offer: offer.id, file, connection: toStored(connection), place }).catch(() => {})

interface Noted extends Opened {
  readonly way: Way
  readonly place: Place
}

/** Records the state in which this tab found the run. A worker does not report it, and a shared one was never left. */
function noteFound(finder: Finder, { run, log, way, place }: Noted): void {
  const find = (): void => finder.find(log.events)
  finder.watch(run, place === 'page' ? undefined : find)
  if (way.type !== 'resume') finder.forget()
  else if (place === 'worker' && run.owner === 'here') find()
}

/** Returns the agent, model and host that a run was started with. */
async function restore(storage: PageStorage, id: string, state: PlaygroundState): Promise<Opening> {
  const started = await storage.records.get(id)
  const server = await serverOf(storage, id)
  const { offer, file } = started ?? (await (server ? agentOnServer(server, id) : agentOfRun(storage, id, state)))
  const { connection, lacksKey } = started
    ? fromStored(started.connection, state.keys)
    : { connection: state.connection, lacksKey: false }
  const known = agents.find((each) => each.id === offer) ?? state.offer
  return {
    offer: known,
    file,
    connection,
    lacksKey,
    place: started?.place ?? server?.place ?? 'page',
    prices: state.prices,
  }
}

/** Opened from a file, and not continued here. */
const isImported = (signal: Signal | undefined): boolean => signal?.type === 'stopped' && signal.cause === 'imported'

const titleOf = (text: string): string => text.slice(0, 120)

function firstSaid(events: readonly Event[]): string {
  const said = events.find((event) => event.type === 'said')
  return said ? textOf(said.content) : ''
}

/** Ends this page as a crash would: none of its listeners run. */
function reloadWithoutGoodbye(): void {
  const stop = (event: globalThis.Event): void => event.stopImmediatePropagation()
  for (const type of ['beforeunload', 'pagehide', 'visibilitychange', 'unload'])
    addEventListener(type, stop, { capture: true })
  location.reload()
}

/** The agent of a run that came without one, such as in a log from elsewhere: the one of this page with its name. */
async function agentOfRun(
  { journal }: Pick<PageStorage, 'journal'>,
  runId: string,
  { edits }: Pick<PlaygroundState, 'edits'>,
): Promise<StoredAgent> {
  const [started] = await journal.read(runId)
  if (!started) throw new AgentError('run_unknown', 'It may have been deleted, here or in another tab.')
  const name = started.type === 'started' ? started.agent : ''
  const found = await named(name, (offer) => fileOf(offer, edits))
  if (found) return found
  const advice = 'Edit an agent so that it has this name and the same tools, use it, and open the run again.'
  throw new AgentError('agent_mismatch', `No agent of this page is called “${name}”. ${advice}`)
}

/** Returns the agent of a run on a server, which has the original files. */
async function agentOnServer(server: ServerRuns, runId: string): Promise<StoredAgent> {
  const name = await server.agentOf(runId)
  const found = await named(name, ({ file }) => file)
  if (found) return found
  throw new AgentError(
    'agent_mismatch',
    `No agent of this page is called “${name}”. Load the page again: the server has another version.`,
  )
}

async function named(name: string, fileFor: (offer: Offer) => string): Promise<StoredAgent | undefined> {
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
