import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerAgent } from '@interleave/connect/worker'
import { type AgentHandle, agent, confirm, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { exportRun, importRun, type Journal } from '@interleave/core/journal'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { useReAct } from '../index.ts'
import { type History, historyJournal, useHistory } from './index.ts'

afterEach(cleanup)

let databases = 0
const newName = (): string => `history-${Date.now()}-${databases++}`

const sure = tool({ inputSchema: z.object({}), execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
const turn: ScriptedTurn = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'sure', input: {} }] }
const guide = () =>
  agent({ name: 'guide', model: scriptedModel(...Array.from({ length: 9 }, () => turn)), tools: { sure } })

interface Page {
  readonly guide: AgentHandle
  readonly journal: Journal
  readonly history: () => History
  /** The rows of the list, as a page shows them. */
  readonly rows: () => readonly string[]
}

/** A page of its own: its journal, its query client and its component. */
function openPage(journal: Journal, open: (journal: Journal) => AgentHandle): Page {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const watched = historyJournal(journal, client)
  const handle = open(watched)
  const { result } = renderHook(() => useHistory(handle, { journal: watched }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const rows = () =>
    result.current.runs.map(({ title, signal }) => `${title.split(':')[0]} ${signal ?? 'working'}`).sort()
  return { guide: handle, journal: watched, history: () => result.current, rows }
}

const places = {
  tabs(): readonly [Page, Page] {
    const name = newName()
    const open = () => openPage(indexedDbJournal({ name }), (journal) => acrossTabs(guide(), { journal }))
    return [open(), open()]
  },
  'pages of a server'(): readonly [Page, Page] {
    const handler = openHandler([guide()])
    const server = {
      url: 'https://edge.test/api',
      headers: { authorization: 'ada' },
      fetch: (url: string, init: RequestInit) => handler(new Request(url, init)),
    }
    const open = () => openPage(remoteJournal(server), () => remoteAgent({ ...server, name: 'guide' }))
    return [open(), open()]
  },
  'pages of a shared worker'(): readonly [Page, Page] {
    const url = new URL('../../../connect/src/worker/browser/guide.worker.ts', import.meta.url)
    const name = newName()
    const open = () =>
      openPage(indexedDbJournal({ name }), () => {
        const worker = new SharedWorker(url, { type: 'module', name })
        return workerAgent(worker, 'guide')
      })
    return [open(), open()]
  },
}

it.each(Object.entries(places))('shows in one page what is done in another: %s', async (_, open) => {
  const [here, there] = open()

  const one = here.guide.start('One: call sure')
  const two = here.guide.start('Two: call sure')
  await Promise.all([one.settled, two.settled])
  await expect.poll(there.rows).toEqual(['One inputNeeded', 'Two inputNeeded'])

  await act(() => here.history().reply(one.id, '1/tool/0/ask/0', true))
  await expect.poll(there.rows).toEqual(['One answer', 'Two inputNeeded'])

  await act(() => there.history().reply(two.id, '1/tool/0/ask/0', true))
  await expect.poll(here.rows).toEqual(['One answer', 'Two answer'])

  await act(() => there.history().fork(one.id, { at: 1, edit: { content: 'Three: call sure' } }))
  await expect.poll(here.rows).toEqual(['One answer', 'Three inputNeeded', 'Two answer'])

  await act(() => here.history().remove(one.id))
  await expect.poll(there.rows).toEqual(['Three inputNeeded', 'Two answer'])
})

it.each([
  ['here', true],
  ['in another tab, which stops it', false],
])('deletes a run that works %s', async (_, isHere) => {
  const name = newName()
  const busy = () => agent({ name: 'busy', model: scriptedModel(() => new Promise(() => {})) })
  const open = () => openPage(indexedDbJournal({ name }), (journal) => acrossTabs(busy(), { journal }))
  const [here, there] = [open(), open()]
  const working = here.guide.start('Go')
  await expect.poll(there.rows).toEqual(['Go working'])
  const page = isHere ? here : there
  const shown = renderHook(() => useReAct(page.guide, { runId: working.id, journal: page.journal }))
  await expect.poll(() => shown.result.current.isWorking).toBe(true)

  await act(() => page.history().remove(working.id))

  expect(working.state.signal).toMatchObject({ type: 'stopped', reason: 'Deleted.' })
  await expect.poll(here.rows).toEqual([])
  await expect.poll(there.rows).toEqual([])
  expect(await here.journal.read(working.id)).toEqual([])
})

it('shows that another tab brings back a run that it deleted', async () => {
  const [here, there] = places.tabs()
  const run = here.guide.start('Stay')
  await run.settled
  await expect.poll(there.rows).toEqual(['Stay inputNeeded'])
  const file = await exportRun(here.journal, run.id)
  await act(() => here.history().remove(run.id))
  await expect.poll(there.rows).toEqual([])

  await importRun(file, { journal: here.journal })

  await expect.poll(() => there.history().runs.map(({ runId, title }) => [runId, title])).toEqual([[run.id, 'Stay']])
})
