import { AgentError, isAgentError, localHost, type UserContent } from '@interleave/core'
import { Queues } from '@interleave/core/internal'
import type { ForkEdit } from '@interleave/core/journal'
import type { StoreApi } from 'zustand/vanilla'
import type { Offer } from '../agents/index.ts'
import { own } from '../parts/objects.ts'
import { randomText } from '../remote/accessCode.ts'
import { toBack, toMarked } from '../shell/Marks.ts'
import { shellActions } from '../shell/shellActions.ts'
import type { News } from '../storage/News.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { isServed, type Place } from '../workers/Place.ts'
import { toDrafted, toUnsent } from './drafts.ts'
import { fileOf } from './edits.ts'
import { heldRuns } from './heldRuns.ts'
import { heldKeys, modelActions, priced, worksElsewhere } from './modelActions.ts'
import { moveActions } from './moveActions.ts'
import type { Playground, Sending } from './Playground.ts'
import { type Conversation, noPlace, type PlaygroundState, shownIn, type Trouble } from './PlaygroundState.ts'
import { sayTo } from './sayTo.ts'
import { usageMark } from './usageMark.ts'

type RunActions = Pick<
  Playground,
  | 'start'
  | 'send'
  | 'show'
  | 'reopen'
  | 'runIn'
  | 'kill'
  | 'reattach'
  | 'fork'
  | 'recoverRun'
  | 'forget'
  | 'change'
  | 'connect'
> & {
  /** Handles news from another tab. */
  receiveNews(news: News): Promise<void>
}

/** Starts, opens and releases runs. The modules for that are loaded with the first run. */
export function runActions(store: StoreApi<PlaygroundState>, openStorage: () => Promise<PageStorage>): RunActions {
  const held = heldRuns(store)
  const opening = async () => ({ storage: await openStorage(), ...(await import('./openConversation.ts')) })
  const post = (news: News): void => void openStorage().then((storage) => storage.news.post(news))
  const list = (): void => store.setState(({ changes }) => ({ changes: changes + 1 }))
  const change = (): void => {
    list()
    post({ type: 'changed' })
  }

  const hold = (conversation: Conversation): void => {
    const { run } = conversation
    const refresh = (): void => (worksElsewhere(conversation) ? list() : change())
    const note = (): void => store.setState(({ marks }) => ({ marks: toMarked(marks, run.id, usageMark(run)) }))
    held.add(conversation)
    if (run.state.signal) note()
    refresh()
    const isBack = (): void => store.setState(({ marks }) => ({ marks: toBack(marks, run.id, Date.now()) }))
    isBack()
    run.subscribe((event) => {
      if (event.type === 'owned' && event.by === 'here') isBack()
      if (event.type !== 'settled') return
      note()
      void run.settled.then(refresh)
    })
  }

  const models = modelActions({ held, getState: store.getState, opening, post })

  const attempt = async (task: Trouble['task'], work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      store.setState({ trouble: undefined })
    } catch (error) {
      store.setState({ trouble: { task, error } })
    }
  }
  // The number of times that the user chose another view. A run that starts later does not replace it.
  let looks = 0
  /** The run that the empty page is about to show. A message that is sent meanwhile goes to it. */
  let beginning: Promise<Conversation | undefined> | undefined
  const showSoon = (begun: Promise<Conversation | undefined>): Promise<Conversation | undefined> => {
    if (store.getState().shown === undefined) beginning = begun
    return begun.finally(() => {
      if (beginning === begun) beginning = undefined
    })
  }
  const begin = async (make: () => Promise<Conversation>, startingWith?: string): Promise<Conversation | undefined> => {
    const look = ++looks
    let begun: Conversation | undefined
    store.setState({ isStarting: true, startingWith })
    const add = async (): Promise<void> => {
      begun = await make()
      hold(begun)
      if (look !== looks) return
      store.setState({ ...noPlace, shown: begun.run.id, offer: begun.offer, pane: 'chat' })
      held.detach(begun.run.id)
    }
    await attempt('start', add)
    if (look === looks) store.setState(noStart)
    return begun
  }

  const startRun = (offer: Offer, text: string, content?: UserContent): Promise<Conversation | undefined> =>
    begin(async () => {
      const { connection, edits, prices, place } = store.getState()
      const { storage, openConversation } = await opening()
      const file = fileOf(offer, edits)
      if (isServed(place) && file !== offer.file) throw edited(offer)
      if (offer.id === 'shop') await (await import('../shop/findShop.ts')).findShop()
      const way = { type: 'start', id: newId(place), text, content } as const
      return openConversation(storage, way, { offer, file, connection, prices, place })
    }, text)

  const underWay = new Map<string, Promise<void>>()
  const open = (runId: string): Promise<void> => {
    const opened = underWay.get(runId) ?? openOnce(runId).finally(() => underWay.delete(runId))
    underWay.set(runId, opened)
    return opened
  }
  const openOnce = async (runId: string): Promise<void> => {
    try {
      const { storage, openStored } = await opening()
      hold(await openStored(storage, runId, store.getState()))
    } catch (failure) {
      store.setState(({ failures }) => ({ failures: { ...failures, [runId]: failure } }))
    }
  }
  const kills = async () =>
    (await import('../kill/killActions.ts')).killActions({ store, openStorage, held, post, now: Date.now })
  const giveBack = (runId: string | undefined, text: string): void =>
    store.setState(({ drafts }) => ({ drafts: toUnsent(drafts, runId, text) }))
  const say = async (
    conversation: Conversation,
    { text, content, sending }: { text: string; content: UserContent; sending: Sending | undefined },
  ): Promise<void> => {
    const { id } = conversation.run
    const unsaid = await sayTo(conversation, content, shellActions(store), sending)
    if (!unsaid) return
    giveBack(id, text)
    if (!isAgentError(unsaid.error) || unsaid.error.code !== 'worker_failed') return
    // A worker that died does not come back, so the run gets another one.
    held.release(conversation)
    await open(id)
  }
  /** The changes of each run's host and model. A message waits for those that the user made before it. */
  const changes = new Queues()
  const moves = moveActions({ store, held, changes, opening, open, hold, attempt })
  const opened = async (runId: string): Promise<Conversation | undefined> => {
    if (!held.open([runId])[0]) await open(runId)
    return held.open([runId])[0]
  }
  const drop = (runIds: readonly string[]): void => {
    held.drop(runIds)
    list()
  }

  return {
    ...moves,
    async start(offer, text, content) {
      await showSoon(startRun(offer, text, content))
    },
    change,
    async send(text, content = text, sending) {
      const { shown, offer } = store.getState()
      store.setState(({ drafts }) => ({ drafts: toDrafted(drafts, shown, '') }))
      if (shown === undefined && !beginning) {
        if (!(await showSoon(startRun(offer, text, content)))) giveBack(undefined, text)
        return
      }
      const begun = shown === undefined ? (await beginning)?.run.id : shown
      if (begun !== undefined) await changes.settled(begun)
      const conversation = begun === undefined ? undefined : await opened(begun)
      if (conversation) await say(conversation, { text, content, sending })
      else giveBack(shown, text)
    },
    async show(runId) {
      looks++
      beginning = undefined
      store.setState({ ...noPlace, shown: runId, pane: 'chat', trouble: undefined, ...noStart })
      held.detach(runId)
      if (runId !== undefined && !shownIn(store.getState())) await open(runId)
    },
    async reopen(runId) {
      store.setState(({ failures: { [runId]: _, ...failures } }) => ({ failures }))
      await open(runId)
    },
    kill: async (runId) => (await kills()).kill(runId),
    async fork(conversation, { at, edit }) {
      await begin(async () => {
        const { storage, openConversation } = await opening()
        const place = placeOfFork(conversation, edit)
        const way = { type: 'fork', id: newId(place), of: conversation.run, at, ...(edit && { edit }) } as const
        const forked = await openConversation(storage, way, { ...conversation, place, prices: store.getState().prices })
        const { title, run } = conversation
        if (forked.title === title)
          store.setState(({ marks }) => ({
            marks: toMarked(marks, forked.run.id, { name: forkTitle(own(marks, run.id)?.name ?? title) }),
          }))
        return forked
      })
    },
    async recoverRun(runId) {
      await begin(async () => {
        const { storage, openRecovered: openSalvaged } = await opening()
        return openSalvaged(storage, runId, store.getState())
      })
    },
    async forget(runIds) {
      // The server itself stops the runs that it deletes.
      const works = held.open(runIds).filter(({ run, place }) => !run.state.signal && !isServed(place))
      await Promise.all(works.map(({ run }) => run.stop('It is deleted.')))
      drop(runIds)
      post({ type: 'deleted', runIds })
    },
    connect(connection, price) {
      const { shown } = store.getState()
      store.setState(({ prices, keys }) => ({
        connection,
        keys: { ...keys, ...heldKeys(connection) },
        prices: { ...prices, ...priced(connection, price) },
      }))
      return changes.run(shown ?? '', () => attempt('model', () => models.connect(shown)))
    },
    async receiveNews(news) {
      if (news.type === 'changed') return list()
      if (news.type === 'deleted') return drop(news.runIds)
      if (news.type === 'killed') return (await kills()).follow(news)
      await models.follow(news.runId)
    },
  }
}

/** The state in which no run is being started. */
const noStart = { isStarting: false, startingWith: undefined } as const

/** Returns an id. Those for a server cannot be guessed. */
const newId = (place: Place): string => (isServed(place) ? randomText(16) : localHost.newId())

const edited = ({ title }: Offer): AgentError =>
  new AgentError(
    'options_invalid',
    `The server has “${title}” as it came, and you edited it. Reset the agent, or choose this page for new runs.`,
  )

/** Names a fork differently from its original, so that a list shows which is which. */
const forkTitle = (title: string): string => (title.startsWith('Fork of ') ? title : `Fork of ${title}`)

/** Returns where a fork executes: as its run, or in the page if it changes what a tool or a user said on a server. */
const placeOfFork = ({ place }: { readonly place: Place }, edit: ForkEdit | undefined): Place =>
  isServed(place) && edit && !('content' in edit) ? 'page' : place
