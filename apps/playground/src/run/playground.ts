import type { Price, Run } from '@interleave/core'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { agents, type Offer } from '../agents/index.ts'
import { type Connection, createModel } from '../models/index.ts'
import { createEventLog, type EventLog } from './eventLog.ts'

/** A run as the page holds it. Many work at once; the page shows one. */
export interface Conversation {
  readonly run: Run
  readonly log: EventLog
  readonly offer: Offer
  readonly connection: Connection
  readonly title: string
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
  /** Which pane a narrow page shows. */
  readonly pane: Pane
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

  const start: Playground['start'] = (chosen, text) =>
    attempt(async () => {
      const { connection: using, prices } = store.getState()
      const agent = chosen.create(await createModel(using), prices)
      const log = createEventLog()
      const run = agent.start(text, { observers: [log.observer] })
      const begun: Conversation = { run, log, offer: chosen, connection: using, title: text }
      store.setState(({ conversations }) => ({
        conversations: [begun, ...conversations],
        shown: run.id,
        offer: chosen,
        pane: 'chat',
      }))
    })

  return {
    store,
    start,
    async send(text) {
      const conversation = shownIn(store.getState())
      if (conversation) await conversation.run.say(text)
      else await start(store.getState().offer, text)
    },
    show: (runId) => store.setState({ shown: runId, pane: 'chat', trouble: undefined }),
    chooseOffer: (chosen) => store.setState({ offer: chosen }),
    choosePane: (pane) => store.setState({ pane }),
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

/** The same conversation with another model. What failed with the one before is tried again at once. */
async function handOver(before: Conversation, { connection, prices }: PlaygroundState): Promise<Conversation> {
  const log = createEventLog(before.log.events)
  const agent = before.offer.create(await createModel(connection), prices)
  const run = await agent.resume(before.run.state, { observers: [log.observer] })
  if (run.state.rest?.type === 'failed') run.resume()
  return { ...before, run, log, connection }
}
