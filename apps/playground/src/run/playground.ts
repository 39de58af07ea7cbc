import type { Agent, Price, Run } from '@interleave/core'
import type { Graph } from '@interleave/core/graph'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { agents, type Offer } from '../agents/index.ts'
import { type Connection, createModel } from '../models/index.ts'
import { type Edits, fileOf, toUsed, toWritten, withoutEdit } from './edits.ts'
import { createEventLog, type EventLog } from './eventLog.ts'
import { graphOf } from './graphOf.ts'

/** A run as the page holds it. Many work at once; the page shows one. */
export interface Conversation {
  readonly run: Run
  readonly log: EventLog
  readonly offer: Offer
  /** The file that its agent was made from: the offer's own, or an edited one. */
  readonly file: string
  readonly connection: Connection
  readonly title: string
  /** The graph that its agent follows, if it follows one. */
  readonly graph: Graph | undefined
}

export type Pane = 'runs' | 'chat' | 'details'

export interface PlaygroundState {
  /** Newest first. */
  readonly conversations: readonly Conversation[]
  /** The id of the run that is shown; none while a new one is being thought of. */
  readonly shown: string | undefined
  /** What a new run is started with. */
  readonly offer: Offer
  readonly connection: Connection
  /** What tokens cost, by model id, as far as the user said. */
  readonly prices: Readonly<Record<string, Price>>
  /** By the id of the offer. */
  readonly edits: Edits
  /** Whose file is open in the editor. */
  readonly editing: Offer | undefined
  /** Which pane a narrow page shows. */
  readonly pane: Pane
  /** A run was asked for, and what it needs is being fetched. */
  readonly isStarting: boolean
  /** Why no model could be made. */
  readonly trouble: unknown
}

/** What a person can do with the page. Runs are only ever started from here, by a click or a key. */
export interface Playground {
  readonly store: StoreApi<PlaygroundState>
  /** Says something to the run that is shown, or starts one with it. */
  send(text: string): Promise<void>
  /** Starts a run of an agent with its first message. */
  start(offer: Offer, text: string): Promise<void>
  /** Shows a run, or the page for a new one. */
  show(runId: string | undefined): void
  chooseOffer(offer: Offer): void
  /** Uses another model from now on, also for the run that is shown. */
  connect(connection: Connection, price?: Price): Promise<void>
  choosePane(pane: Pane): void
  /** Opens the file of an agent in the editor, or closes the editor. What was written stays. */
  edit(offer: Offer | undefined): void
  /** Keeps what stands in the editor. */
  write(offer: Offer, draft: string): void
  /** Starts new runs of an agent with this file. */
  use(offer: Offer, file: string): void
  /** Goes back to the file that an agent came with. */
  reset(offer: Offer): void
}

export function createPlayground(connection: Connection = { type: 'demo' }): Playground {
  const [offer] = agents
  if (!offer) throw new Error('There is no agent to offer.')
  const store = createStore<PlaygroundState>(() => ({
    conversations: [],
    shown: undefined,
    offer,
    connection,
    prices: { 'rule-based': { input: 0, output: 0 } },
    edits: {},
    editing: undefined,
    isStarting: false,
    pane: 'chat',
    trouble: undefined,
  }))

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      store.setState({ trouble: undefined })
    } catch (trouble) {
      store.setState({ trouble })
    }
  }

  // Who looks at something else while a run is being started is not taken away from it.
  let looks = 0
  const start: Playground['start'] = async (chosen, text) => {
    const look = ++looks
    store.setState({ isStarting: true })
    await attempt(async () => {
      const { connection: using, edits } = store.getState()
      const file = fileOf(chosen, edits)
      const agent = await createAgent(file, store.getState())
      const log = createEventLog()
      const run = agent.start(text, { observers: [log.observer] })
      const graph = graphOf(agent.backend)
      const begun: Conversation = { run, log, offer: chosen, file, connection: using, title: text, graph }
      store.setState(({ conversations }) => ({ conversations: [begun, ...conversations] }))
      if (look === looks) store.setState({ shown: run.id, offer: chosen, pane: 'chat' })
    })
    if (look === looks) store.setState({ isStarting: false })
  }

  return {
    store,
    start,
    async send(text) {
      const conversation = shownIn(store.getState())
      if (conversation) await conversation.run.say(text)
      else await start(store.getState().offer, text)
    },
    show(runId) {
      looks++
      store.setState({ shown: runId, pane: 'chat', trouble: undefined, isStarting: false })
    },
    chooseOffer: (chosen) => store.setState({ offer: chosen }),
    choosePane: (pane) => store.setState({ pane }),
    edit: (editing) => store.setState({ editing }),
    write: (offer, draft) => store.setState(({ edits }) => ({ edits: toWritten(edits, offer, draft) })),
    use: (offer, file) => store.setState(({ edits }) => ({ edits: toUsed(edits, offer, file) })),
    reset: (offer) => store.setState(({ edits }) => ({ edits: withoutEdit(edits, offer) })),
    connect: (using, price) =>
      attempt(async () => {
        store.setState(({ prices }) => ({ connection: using, prices: { ...prices, ...priced(using, price) } }))
        const before = shownIn(store.getState())
        if (!before?.run.state.rest) return
        const after = await handOver(before, store.getState())
        store.setState(({ conversations }) => ({
          conversations: conversations.map((one) => (one === before ? after : one)),
        }))
      }),
  }
}

export const shownIn = ({ conversations, shown }: PlaygroundState): Conversation | undefined =>
  conversations.find(({ run }) => run.id === shown)

const priced = (connection: Connection, price: Price | undefined): Record<string, Price> =>
  price && connection.type !== 'demo' ? { [connection.modelId]: price } : {}

type Chosen = Pick<PlaygroundState, 'connection' | 'prices'>

/** The agents and all that they can name are loaded with the first run. */
async function createAgent(file: string, { connection, prices }: Chosen): Promise<Agent> {
  const [{ agentFrom }, model] = await Promise.all([import('../agents/agentFrom.ts'), createModel(connection)])
  return agentFrom(file, { model, prices })
}

/** The same conversation with another model. What failed with the one before is tried again at once. */
async function handOver(before: Conversation, chosen: Chosen): Promise<Conversation> {
  const log = createEventLog(before.log.events)
  const agent = await createAgent(before.file, chosen)
  const run = await agent.resume(before.run.state, { observers: [log.observer] })
  if (run.state.rest?.type === 'failed') run.resume()
  return { ...before, run, log, connection: chosen.connection, graph: graphOf(agent.backend) }
}
