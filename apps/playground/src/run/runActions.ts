import { localHost, type Price } from '@interleave/core'
import type { StoreApi } from 'zustand/vanilla'
import type { Kept } from '../kept/Kept.ts'
import type { Connection } from '../models/index.ts'
import { toDrafted } from './drafts.ts'
import { fileOf } from './edits.ts'
import type { Playground } from './Playground.ts'
import { type Conversation, type PlaygroundState, shownIn } from './PlaygroundState.ts'

type RunActions = Pick<
  Playground,
  'start' | 'send' | 'show' | 'reopen' | 'fork' | 'salvage' | 'forget' | 'change' | 'connect'
>

/** What starts runs, opens them, and lets go of them. What it needs is fetched with the first one. */
export function runActions(store: StoreApi<PlaygroundState>, keep: () => Promise<Kept>): RunActions {
  const opening = async () => ({ kept: await keep(), ...(await import('./openConversation.ts')) })
  const change = (): void => store.setState(({ changes }) => ({ changes: changes + 1 }))

  const hold = (conversation: Conversation, before?: Conversation): void => {
    store.setState(({ conversations, failures: { [conversation.run.id]: _, ...failures } }) => ({
      failures,
      conversations: before
        ? conversations.map((one) => (one === before ? conversation : one))
        : [conversation, ...conversations],
    }))
    change()
    conversation.run.subscribe(({ type }) => {
      if (type === 'rested') void conversation.run.settled.then(change)
    })
  }

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
  const begin = async (make: () => Promise<Conversation>): Promise<void> => {
    const look = ++looks
    store.setState({ isStarting: true })
    await attempt(async () => {
      const begun = await make()
      hold(begun)
      if (look === looks) store.setState({ shown: begun.run.id, offer: begun.offer, pane: 'chat' })
    })
    if (look === looks) store.setState({ isStarting: false })
  }

  const start: RunActions['start'] = (offer, text) =>
    begin(async () => {
      const { connection, edits, prices } = store.getState()
      const { kept, openConversation } = await opening()
      const file = fileOf(offer, edits)
      const way = { type: 'start', id: localHost.newId(), text } as const
      return openConversation(kept, way, { offer, file, connection, prices })
    })

  const underWay = new Map<string, Promise<void>>()
  const open = (runId: string): Promise<void> => {
    const opened = underWay.get(runId) ?? openOnce(runId).finally(() => underWay.delete(runId))
    underWay.set(runId, opened)
    return opened
  }
  const openOnce = async (runId: string): Promise<void> => {
    try {
      const { kept, openKept } = await opening()
      hold(await openKept(kept, runId, store.getState()))
    } catch (failure) {
      store.setState(({ failures }) => ({ failures: { ...failures, [runId]: failure } }))
    }
  }
  const drop = (runIds: readonly string[]): void =>
    store.setState(({ conversations, failures }) => ({
      conversations: conversations.filter(({ run }) => !runIds.includes(run.id)),
      failures: Object.fromEntries(Object.entries(failures).filter(([id]) => !runIds.includes(id))),
    }))

  return {
    start,
    change,
    async send(text) {
      const { shown, offer } = store.getState()
      const conversation = shownIn(store.getState())
      store.setState(({ drafts }) => ({ drafts: toDrafted(drafts, shown, '') }))
      if (conversation) await conversation.run.say(text)
      else await start(offer, text)
    },
    async show(runId) {
      looks++
      store.setState({ shown: runId, pane: 'chat', trouble: undefined, isStarting: false })
      if (runId !== undefined && !shownIn(store.getState())) await open(runId)
    },
    async reopen(runId) {
      drop([runId])
      await open(runId)
    },
    fork: (conversation, place) =>
      begin(async () => {
        const { kept, openConversation } = await opening()
        const way = { type: 'fork', id: localHost.newId(), of: conversation.run, ...place } as const
        const past = conversation.log.events.filter(({ seq }) => seq <= place.at)
        return openConversation(kept, way, { ...conversation, prices: store.getState().prices, past })
      }),
    salvage: (runId) =>
      begin(async () => {
        const { kept, openSalvaged } = await opening()
        return openSalvaged(kept, runId, store.getState())
      }),
    async forget(runIds) {
      const gone = store.getState().conversations.filter(({ run }) => runIds.includes(run.id))
      await Promise.all(gone.map(({ run }) => (run.state.rest ? undefined : run.stop('It is deleted.'))))
      drop(runIds)
      store.setState(({ shown, drafts }) => ({
        shown: shown !== undefined && runIds.includes(shown) ? undefined : shown,
        drafts: runIds.reduce((left, id) => toDrafted(left, id, ''), drafts),
      }))
      change()
    },
    connect: (connection, price) =>
      attempt(async () => {
        store.setState(({ prices }) => ({ connection, prices: { ...prices, ...priced(connection, price) } }))
        const before = shownIn(store.getState())
        if (!before?.run.state.rest || isUnwritten(before)) return
        const { kept, openConversation } = await opening()
        const { prices } = store.getState()
        const way = { type: 'resume', id: before.run.id } as const
        const past = before.log.events
        const after = await openConversation(kept, way, { ...before, connection, lacksKey: false, prices, past })
        hold({ ...after, found: [] }, before)
        // What failed with the one before is tried again at once.
        if (after.run.state.rest?.type === 'failed') after.run.resume()
      }),
  }
}

const priced = (connection: Connection, price: Price | undefined): Record<string, Price> =>
  price && connection.type !== 'demo' ? { [connection.modelId]: price } : {}

/** Its end is in memory alone, so that it cannot be opened anew. */
const isUnwritten = ({ run: { state } }: Conversation): boolean =>
  state.rest?.type === 'failed' && state.rest.error.code.startsWith('journal_')
