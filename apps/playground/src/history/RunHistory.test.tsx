import type { RunSummary } from '@interleave/core/journal'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { accessCode } from '../remote/accessCode.ts'
import { type ServerRuns, serverRuns } from '../remote/serverRuns.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import type { ServedPlace } from '../workers/Place.ts'
import { RunHistory } from './RunHistory.tsx'

afterEach(cleanup)

const started = (runId: string) => ({ type: 'started', runId, agent: 'trip planner', version: '1' }) as const

it('lists a page of runs, and older ones when it is asked to', async () => {
  const storage = memoryStorage()
  for (let n = 0; n < 35; n++) {
    const stamp = { at: n < 20 ? 1 : n, iteration: 0 }
    const said = { type: 'said', by: 'user', content: `Trip ${n}`, seq: 1, ...stamp } as const
    await storage.journal.append(`r${n}`, [{ ...started(`r${n}`), seq: 0, ...stamp }, said])
  }

  render(
    <PlaygroundContext value={createPlayground({ open: async () => storage })}>
      <RunHistory />
    </PlaygroundContext>,
  )
  await screen.findByText('Trip 34')
  const before = screen.getAllByRole('link').length
  fireEvent.click(screen.getByRole('button', { name: 'Show older runs' }))
  await screen.findByText('Trip 0')

  expect(before).toBe(30)
  expect(screen.getAllByRole('link')).toHaveLength(35)
  expect(screen.getAllByText('Trip planner', { ignore: 'option' }).map(({ localName }) => localName)).toEqual(
    Array(35).fill('bdi'),
  )
  expect(screen.queryByRole('button', { name: 'Show older runs' })).toBeNull()
})

it('says that the list could not be read, and not that there are no runs', async () => {
  const address = `https://example.com/assets/${'x'.repeat(2_000)}.js`
  const open = () => Promise.reject(new Error(`Failed to fetch dynamically imported module: ${address}`))
  render(
    <PlaygroundContext value={createPlayground({ open })}>
      <RunHistory />
    </PlaygroundContext>,
  )

  const alert = await screen.findByRole('alert', {}, { timeout: 20_000 })

  expect(alert.querySelector('p')?.textContent).toBe('The list of runs could not be read. Load the page again.')
  expect(alert.querySelector('details')?.open).toBe(false)
  expect(screen.queryByText('No runs yet')).toBeNull()
})

it('shows what would turn the words around a name of an agent', async () => {
  const storage = memoryStorage()
  const stamp = { at: 5, iteration: 0 }
  await storage.journal.append('one', [{ ...started('one'), agent: 'x\u202ey', seq: 0, ...stamp }])
  render(
    <PlaygroundContext value={createPlayground({ open: async () => storage })}>
      <RunHistory />
    </PlaygroundContext>,
  )

  expect((await screen.findByText('x[U+202E]y')).localName).toBe('bdi')
})

it('shows what would turn the words around a title, also once it is deleted', async () => {
  const storage = memoryStorage()
  const stamp = { at: 5, iteration: 0 }
  const said = { type: 'said', by: 'user', content: 'Pay \u202e05€', seq: 1, ...stamp } as const
  await storage.journal.append('one', [{ ...started('one'), seq: 0, ...stamp }, said])
  render(
    <PlaygroundContext value={createPlayground({ open: async () => storage })}>
      <RunHistory />
    </PlaygroundContext>,
  )
  await screen.findByText('Pay [U+202E]05€')

  fireEvent.keyDown(screen.getByRole('link'), { key: 'Delete' })

  expect((await screen.findByText('“Pay [U+202E]05€”')).localName).toBe('bdi')
})

it('has the focus on the way back when a run is deleted by its key', async () => {
  const storage = memoryStorage()
  const stamp = { at: 5, iteration: 0 }
  for (const runId of ['one', 'two']) await storage.journal.append(runId, [{ ...started(runId), seq: 0, ...stamp }])
  render(
    <PlaygroundContext value={createPlayground({ open: async () => storage })}>
      <RunHistory />
    </PlaygroundContext>,
  )
  const [link] = await screen.findAllByRole('link')
  link?.focus()

  fireEvent.keyDown(link ?? document.body, { key: 'Delete' })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(1))

  expect(document.activeElement).toBe(undo)
})

/** A server with this one run for whoever has a code. */
function serverWith(place: ServedPlace, run: Pick<RunSummary, 'runId' | 'title' | 'updatedAt'>): ServerRuns {
  const items = new Map<string, string>()
  const code = accessCode(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
  }))
  const listed = { agent: 'docs reader', version: '1', startedAt: 1, events: 3, signal: 'answer', ...run }
  const fetch = async () => Response.json({ runs: [listed] })
  return serverRuns({ place, url: 'http://a.test/api', code, fetch })
}

it('lists runs of all places, each once and wherever new ones are to work', async () => {
  const storage = memoryStorage()
  const stamp = { at: 5, iteration: 0 }
  for (const runId of ['here', 'moved'])
    await storage.journal.append(runId, [
      { ...started(runId), seq: 0, ...stamp },
      { type: 'said', by: 'user', content: `Begun ${runId}`, seq: 1, ...stamp },
    ])
  const server = serverWith('server', { runId: 'there', title: 'Begun there', updatedAt: 9 })
  const restate = serverWith('restate', { runId: 'moved', title: 'Begun moved', updatedAt: 7 })
  const playground = createPlayground({ open: async () => ({ ...storage, servers: { server, restate } }) })
  render(
    <PlaygroundContext value={playground}>
      <RunHistory />
    </PlaygroundContext>,
  )
  const rows = (): readonly string[] =>
    screen
      .queryAllByRole('link')
      .map((link) => ['.run-title', '.run-place'].map((part) => link.querySelector(part)?.textContent ?? '').join(' '))

  await waitFor(() => expect(rows()).toEqual(['Begun moved ', 'Begun here ']))
  const expected = {
    server: ['Begun there on the server', 'Begun moved ', 'Begun here '],
    restate: ['Begun there on the server', 'Begun moved on Restate', 'Begun here '],
    page: ['Begun there on the server', 'Begun moved on Restate', 'Begun here '],
  }
  for (const place of ['server', 'restate', 'page'] as const) {
    playground.choosePlace(place)
    // The first run there makes the code, and changes the list.
    if (place !== 'page') ({ server, restate })[place].code.ensure()
    act(playground.change)
    await waitFor(() => expect(rows()).toEqual(expected[place]))
  }
})
