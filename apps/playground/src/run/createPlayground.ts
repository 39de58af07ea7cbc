import { createStore } from 'zustand/vanilla'
import { agents } from '../agents/index.ts'
import type { Connection } from '../models/index.ts'
import type { ServerState } from '../remote/probeServer.ts'
import { serverUrls } from '../remote/serverUrls.ts'
import { defaultSettings } from '../shell/Settings.ts'
import { shellActions } from '../shell/shellActions.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { toDrafted } from './drafts.ts'
import { toUsed, toWritten, withoutEdit } from './edits.ts'
import { heldKeys } from './modelActions.ts'
import type { Playground } from './Playground.ts'
import { noPlace, type PlaygroundState } from './PlaygroundState.ts'
import { runActions } from './runActions.ts'

export interface PlaygroundOptions {
  readonly connection?: Connection
  /** The journal; in memory by default. */
  readonly open?: () => Promise<PageStorage>
}

export function createPlayground({
  connection = { type: 'demo' },
  open = inMemory,
}: PlaygroundOptions = {}): Playground {
  const [offer] = agents
  if (!offer) throw new Error('There is no agent to offer.')
  const store = createStore<PlaygroundState>(() => ({
    conversations: [],
    shown: undefined,
    ...noPlace,
    failures: {},
    dismissed: [],
    removed: undefined,
    moves: {},
    changes: 0,
    offer,
    connection,
    keys: heldKeys(connection),
    place: 'page',
    servers: { server: { type: 'unknown' }, restate: { type: 'unknown' } },
    reach: { server: noReach, restate: noReach },
    prices: { 'rule-based': { input: 0, output: 0 } },
    edits: {},
    drafts: {},
    editing: undefined,
    inside: 'scratchpad',
    pane: 'chat',
    isStorageOpen: false,
    dialog: undefined,
    settings: defaultSettings,
    marks: {},
    notices: [],
    isStarting: false,
    startingWith: undefined,
    trouble: undefined,
  }))
  let storage: Promise<PageStorage> | undefined
  const listened = async (): Promise<PageStorage> => {
    const opened = await open()
    opened.news.listen((news) => void receiveNews(news))
    for (const { place, reach } of Object.values(opened.servers ?? {}))
      reach.subscribe((now) => store.setState((page) => ({ reach: { ...page.reach, [place]: now } })))
    return opened
  }
  const openStorage = (): Promise<PageStorage> => {
    // A failed attempt is dropped, so that the next caller opens it again.
    storage ??= listened().catch((error: unknown) => {
      storage = undefined
      throw error
    })
    return storage
  }

  const { receiveNews, ...actions } = runActions(store, openStorage)

  return {
    store,
    openStorage,
    ...actions,
    ...shellActions(store),
    // A link to an event shows that event, whatever was shown before.
    selectEvent: (selectedEvent) =>
      store.setState(({ inside }) => ({
        selectedEvent,
        inside: selectedEvent === undefined || inspecting.has(inside) ? inside : 'timeline',
      })),
    showInside: (inside) => store.setState({ inside }),
    travel: (travelledTo) => store.setState({ travelledTo }),
    openFork: (forkingAt) => store.setState({ forkingAt }),
    compare: (runs) =>
      store.setState(({ shown, compared }) => ({
        ...noPlace,
        shown: undefined,
        compared: { ...runs, cameFrom: shown ?? compared?.cameFrom },
        pane: 'chat',
      })),
    chooseOffer: (chosen) => store.setState({ offer: chosen }),
    choosePlace: (place) => store.setState({ place }),
    holdKeys: (given) => store.setState(({ keys }) => ({ keys: { ...keys, ...given } })),
    async findServer(place) {
      const setServer = (state: ServerState): void =>
        store.setState(({ servers }) => ({ servers: { ...servers, [place]: state } }))
      setServer({ type: 'checking' })
      const { probeServer } = await import('../remote/probeServer.ts')
      setServer(await probeServer({ url: serverUrls[place] }))
    },
    async browse() {
      const { journal, servers } = await openStorage()
      if (!servers) return journal
      return (await import('../remote/serverRuns.ts')).everyRun(journal, Object.values(servers))
    },
    choosePane: (pane) => store.setState({ pane }),
    showStorage: (isStorageOpen) => store.setState({ isStorageOpen }),
    dismiss: (found) => store.setState(({ dismissed }) => ({ dismissed: [...dismissed, found] })),
    draft: (text) => store.setState(({ drafts, shown }) => ({ drafts: toDrafted(drafts, shown, text) })),
    edit: (editing) => store.setState({ editing }),
    write: (edited, draft) => store.setState(({ edits }) => ({ edits: toWritten(edits, edited, draft) })),
    use: (edited, file) => store.setState(({ edits }) => ({ edits: toUsed(edits, edited, file) })),
    reset: (edited) => store.setState(({ edits }) => ({ edits: withoutEdit(edits, edited) })),
  }
}

/** The parts that show the event that is selected. */
const inspecting: ReadonlySet<string> = new Set(['timeline', 'usage', 'log'])

const noReach = { connections: {}, isLost: false } as const

const inMemory = async (): Promise<PageStorage> => (await import('../storage/memoryStorage.ts')).memoryStorage()
