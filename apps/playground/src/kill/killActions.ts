import type { StoreApi } from 'zustand/vanilla'
import { own } from '../parts/objects.ts'
import type { ServerReach } from '../remote/serverRuns.ts'
import type { HeldRuns } from '../run/heldRuns.ts'
import type { Conversation, PlaygroundState } from '../run/PlaygroundState.ts'
import { toBack, toMarked } from '../shell/Marks.ts'
import { shellActions } from '../shell/shellActions.ts'
import type { Killed, News } from '../storage/News.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { type Kill, killPath } from './Kill.ts'

export interface KillSetting {
  readonly store: StoreApi<PlaygroundState>
  readonly openStorage: () => Promise<PageStorage>
  readonly held: HeldRuns
  readonly post: (news: News) => void
  readonly now: () => number
}

export interface KillActions {
  /** Ends the host of a run, in any tab. The remaining tabs open the run again. */
  kill(runId: string): Promise<void>
  /** Follows a kill that another tab started. */
  follow(killed: Killed): Promise<void>
}

/** Ends pages and workers in the middle of a run. */
export function killActions({ store, openStorage, held, post, now }: KillSetting): KillActions {
  const killOf = ({ log }: Conversation): Kill => ({ at: now(), seq: log.events.at(-1)?.seq ?? 0 })
  const mark = (runId: string, kill: Kill | undefined): void =>
    store.setState(({ marks }) => ({ marks: toMarked(marks, runId, { kill }) }))
  /** Loads what shows a kill: a page that is killed cannot, and it may come from the server that is. */
  const load = (): Promise<unknown> => import('./KillReceipt.tsx')

  const isBack = (runId: string): void => store.setState(({ marks }) => ({ marks: toBack(marks, runId, now()) }))
  /** Resolves when the worker of a run, which is created again, continues it. */
  const revive = async ({ run, log, place, finder }: Conversation, isReopened: () => boolean): Promise<void> => {
    await until(run, isReopened)
    // A shared worker was never left.
    if (place === 'worker') finder.find(log.events)
    isBack(run.id)
  }
  const killWorker = async (conversation: Conversation): Promise<void> => {
    const { run } = conversation
    let wasLost = false
    const revived = revive(conversation, () => {
      wasLost ||= run.connection?.type === 'connecting'
      return wasLost && run.connection?.type === 'connected'
    })
    conversation.kill()
    await revived
  }
  /** Ends the host here: this page, or a worker. */
  const killHere = async (conversation: Conversation): Promise<void> => {
    if (conversation.place === 'page') conversation.kill()
    else await killWorker(conversation)
  }

  const untilServed = async (runId: string): Promise<void> => {
    const { servers } = await openStorage()
    if (servers) await untilConnectedAgain(servers.server.reach, runId)
    isBack(runId)
  }
  const killServer = async (runId: string, kill: Kill): Promise<void> => {
    mark(runId, kill)
    const back = untilServed(runId)
    // It may end before it answers.
    const answer = await fetch(killPath, { method: 'POST' }).catch(() => undefined)
    if (answer && !answer.ok) return mark(runId, undefined)
    post({ type: 'killed', runId, kill, isAsked: false })
    await back
  }

  return {
    async kill(runId) {
      const [conversation] = held.open([runId])
      if (!conversation || conversation.place === 'restate') return
      await load()
      if (conversation.place === 'server') return killServer(runId, killOf(conversation))
      if ((await openStorage()).isFleeting) return shellActions(store).notify(fleeting)
      const kill = killOf(conversation)
      mark(runId, kill)
      const isAsked = conversation.place !== 'sharedWorker' && isElsewhere(conversation)
      post({ type: 'killed', runId, kill, isAsked })
      if (!isAsked) await killHere(conversation)
    },
    async follow({ runId, kill, isAsked }) {
      await load()
      mark(runId, kill)
      const [conversation] = held.open([runId])
      if (!conversation || conversation.place === 'restate') return
      if (conversation.place === 'server') return untilServed(runId)
      // It may have been created again already.
      if (conversation.place === 'sharedWorker')
        return revive(conversation, () => conversation.run.connection?.type === 'connected')
      if (isAsked && !isElsewhere(conversation)) await killHere(conversation)
    },
  }
}

const fleeting = {
  id: 'kill',
  tone: 'bad',
  words: 'This browser stores nothing for the page, so a run that is killed here would be lost.',
} as const

const isElsewhere = ({ run }: Conversation): boolean => run.owner === 'elsewhere'

/** Resolves when the page is connected about a run again, after it was not. */
const untilConnectedAgain = (reach: StoreApi<ServerReach>, runId: string): Promise<void> =>
  new Promise((resolve) => {
    let wasLost = false
    const leave = reach.subscribe(({ connections }) => {
      const isConnected = own(connections, runId)?.type === 'connected'
      wasLost ||= !isConnected
      if (!wasLost || !isConnected) return
      leave()
      resolve()
    })
  })

/** Resolves when this is true, after any event of the run. */
const until = (run: Conversation['run'], isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isSo()) return resolve()
    const leave = run.subscribe(() => {
      if (!isSo()) return
      leave()
      resolve()
    })
  })
