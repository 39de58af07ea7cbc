import { remoteAgent } from '@interleave/connect/http'
import { workerAgent } from '@interleave/connect/worker'
import type { RunState } from '@interleave/core'
import type { leaving, mark } from './markTool.ts'

declare global {
  /** The actions of the test in this page. */
  var page: ReturnType<typeof createPage>
}

const search = new URLSearchParams(location.search)
const place = search.get('place')
const isFirst = search.has('first')

const createWorker = (): SharedWorker => new SharedWorker('/leavingWorker.js', { type: 'module' })

/** A page with one run. The first page never ends what it marks. */
function createPage() {
  const seen = { begun: 0, aborted: 0, restored: 0 }
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) seen.restored++
  })
  const tools = {
    mark(_: object, { abortSignal }: { readonly abortSignal: AbortSignal }) {
      seen.begun++
      abortSignal.addEventListener('abort', () => seen.aborted++)
      return isFirst ? new Promise<never>(() => {}) : 'second'
    },
  }
  const guide =
    place === 'server'
      ? remoteAgent<typeof leaving, { mark: typeof mark }>({ url: '/api', name: 'leaving', tools })
      : workerAgent<typeof leaving, { mark: typeof mark }>(createWorker, 'leaving', { tools })
  const opened = isFirst ? Promise.resolve(guide.start('Mark it.')) : guide.resume(search.get('run') ?? '')
  return {
    seen,
    async state(): Promise<Pick<RunState, 'runId' | 'seq' | 'signal'>> {
      const { runId, seq, signal } = (await opened).state
      return { runId, seq, ...(signal && { signal }) }
    },
    async say(text: string): Promise<unknown> {
      const run = await opened
      await run.say(text)
      return run.settled
    },
  }
}

globalThis.page = createPage()
