import { acrossTabs, type RemoteRun } from '@interleave/connect/tabs'
import { agent } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'

declare global {
  /** The actions of a tab on the run that all tabs share; called from outside of it. */
  var sharing: Sharing
}

interface Sharing {
  begin(): Promise<void>
  follow(): Promise<void>
  /** Milliseconds from the end of the tab that had the run until it goes on in this one. */
  taken(): Promise<number>
}

const runId = 'shared'
const now = (): number => performance.timeOrigin + performance.now()

/** Makes a page ready to share a run, by ours or by a lock alone. */
export function serveTabs(isFloor: boolean): void {
  const news = new BroadcastChannel('the end of a tab')
  addEventListener('pagehide', () => news.postMessage(now()))
  let continues: Promise<number> | undefined
  const sharing = isFloor ? bareLock() : sharedRun()
  const follow = async (): Promise<void> => {
    const taking = sharing.follow()
    const ended = new Promise<number>((resolve) => {
      news.onmessage = ({ data }) => resolve(data)
    })
    continues = Promise.all([ended, taking.taken.then(now)]).then(([end, begin]) => begin - end)
    await taking.ready
  }
  globalThis.sharing = {
    begin: sharing.begin,
    follow,
    taken: () => continues ?? Promise.reject(new Error('This tab does not follow.')),
  }
}

interface Shared {
  begin(): Promise<void>
  follow(): { readonly ready: Promise<unknown>; readonly taken: Promise<unknown> }
}

/** The least that tells a tab that the one before is gone. */
function bareLock(): Shared {
  const take = (): Promise<void> =>
    new Promise((resolve) => {
      void navigator.locks.request(runId, () => {
        resolve()
        return new Promise(() => {})
      })
    })
  return { begin: take, follow: () => ({ ready: Promise.resolve(), taken: take() }) }
}

/** Opens a run whose turn never ends, so that the next owner calls the model again. */
function sharedRun(): Shared {
  const model = { ...scriptedModel(), doStream: () => new Promise<never>(() => {}) }
  const guide = acrossTabs(agent({ name: 'guide', model }), { journal: indexedDbJournal() })
  const untilItContinues = (run: RemoteRun): Promise<void> =>
    new Promise((resolve) => run.subscribe(({ type }) => type === 'thinking' && run.owner === 'here' && resolve()))
  return {
    async begin() {
      guide.start('Go', { id: runId })
      while ((await indexedDbJournal().read(runId)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    follow() {
      const ready = guide.resume(runId)
      return { ready, taken: ready.then(untilItContinues) }
    },
  }
}
