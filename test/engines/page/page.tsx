import { remoteAgent } from '@interleave/connect/http'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerAgent } from '@interleave/connect/worker'
import type { AgentHandle } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { SignalOutlet, useReAct } from '@interleave/react'
import { type ReactNode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import '@interleave/react/styles.css'
import { functionsOf, guideOf } from './guide.ts'

const search = new URLSearchParams(location.search)
const place = search.get('place') ?? 'page'
const world = search.get('world') ?? ''
const journal = indexedDbJournal()
const seen = { restored: 0 }
const tools = functionsOf(world)
let worker: Worker | undefined

addEventListener('pageshow', ({ persisted }) => {
  if (persisted) seen.restored++
})

function createWorker(): Worker {
  worker = new Worker('/worker.js', { type: 'module' })
  return worker
}

/** The places where a run of this page may execute. */
const handles: Readonly<Record<string, () => AgentHandle<string>>> = {
  page: () => guideOf(world),
  tabs: () => acrossTabs(guideOf(world), { journal }),
  worker: () => workerAgent<ReturnType<typeof guideOf>>(createWorker, 'guide', { tools }),
  shared: () =>
    workerAgent<ReturnType<typeof guideOf>>(() => new SharedWorker('/worker.js', { type: 'module' }), 'guide', {
      tools,
    }),
  server: () => remoteAgent<ReturnType<typeof guideOf>>({ url: '/api', name: 'guide', tools }),
}
const handle = (handles[place] as () => AgentHandle<string>)()

function App(): ReactNode {
  const { run, say, answer, isWorking, error, state } = useReAct(handle, {
    runId: location.hash.slice(1) || undefined,
    ...(place === 'page' && { journal }),
  })
  useEffect(() => {
    if (run?.id) history.replaceState(null, '', `#${run.id}`)
  }, [run?.id])
  globalThis.told = {
    seen,
    state: () => ({ seq: state.seq, asks: state.asks.length, signal: state.signal?.type }),
    logged: async (id) => (await journal.read(id)).length,
    isWorking: () => isWorking,
    killWorker: () => worker?.terminate(),
    say: (text) => void say(text).catch(() => {}),
  }
  return (
    <main>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          globalThis.told.say(String(new FormData(event.currentTarget).get('message')))
          event.currentTarget.reset()
        }}
      >
        <label>
          Message <input name="message" autoComplete="off" />
        </label>
      </form>
      <output>{answer}</output>
      {error && <p role="alert">{error.message}</p>}
      <SignalOutlet run={run} />
      <a href="/other">Leave</a>
    </main>
  )
}

declare global {
  /** What a story reads of this page, and does to it. */
  var told: {
    readonly seen: { readonly restored: number }
    state(): { readonly seq: number; readonly asks: number; readonly signal: string | undefined }
    logged(id: string): Promise<number>
    isWorking(): boolean
    killWorker(): void
    say(text: string): void
  }
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<App />)
