import { type Agent, agent } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { dehydrate, hydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ReActProvider } from '../ReActProvider.tsx'
import { historyJournal, historyKeys, historyOptions, logOptions, useHistory } from './index.ts'

afterEach(cleanup)

const guide: Agent<string> = agent({ name: 'guide', model: scriptedModel() })

const newClient = (): QueryClient => new QueryClient({ defaultOptions: { queries: { retry: false } } })

/** A journal with these runs, whose ids are their titles. */
async function journalOf(...titles: readonly string[]): Promise<Journal> {
  const journal = memoryJournal()
  for (const title of titles)
    await agent({ name: 'guide', model: scriptedModel('Hi') }).start(title, { journal, id: title }).settled
  return journal
}

const titlesOf = (runs: readonly { readonly title: string }[]): string => runs.map(({ title }) => title).join()

function Titles({ pageSize = 30 }: { readonly pageSize?: number }) {
  const { runs, hasMore } = useHistory(guide, { pageSize })
  return <p>{`${titlesOf(runs)} ${hasMore}`}</p>
}

function show(client: QueryClient, children: ReactNode): { readonly texts: () => readonly (string | null)[] } {
  const { container } = render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)
  return { texts: () => [...container.querySelectorAll('p')].map(({ textContent }) => textContent) }
}

it('separates the lists of two journals of one client', async () => {
  const client = newClient()
  const mine = historyJournal(await journalOf('Mine'), client, { name: 'mine' })
  const ours = historyJournal(await journalOf('Ours'), client, { name: 'ours' })
  const { texts } = show(
    client,
    <>
      <ReActProvider journal={mine}>
        <Titles />
      </ReActProvider>
      <ReActProvider journal={ours}>
        <Titles />
      </ReActProvider>
    </>,
  )
  await waitFor(() => expect(texts()).toEqual(['Mine false', 'Ours false']))
  const read = vi.spyOn(client, 'invalidateQueries')

  await act(async () => void (await ours.delete('Ours')))

  await waitFor(() => expect(texts()).toEqual(['Mine false', ' false']))
  expect(read).toHaveBeenCalledExactlyOnceWith({ queryKey: ['interleave', 'history', 'ours'] })
})

it('separates the logs and actions of one id, and finds all of them by one key', async () => {
  const client = newClient()
  const mine = historyJournal(await journalOf('Trip'), client, { name: 'mine' })
  const ours = historyJournal(await journalOf(), client, { name: 'ours' })

  const logs = [await client.fetchQuery(logOptions(mine, 'Trip')), await client.fetchQuery(logOptions(ours, 'Trip'))]

  expect(logs.map(({ length }) => length > 0)).toEqual([true, false])
  expect(historyKeys.actions(mine, 'Trip')).not.toEqual(historyKeys.actions(ours, 'Trip'))
  expect(client.getQueriesData({ queryKey: historyKeys.all })).toHaveLength(2)
})

it('finds by its name what was cached in an earlier visit, or by the server', async () => {
  const before = newClient()
  const kept = await journalOf('Trip')
  await before.prefetchInfiniteQuery(historyOptions({ journal: () => kept, name: 'mine', agent: 'guide' }))
  const client = newClient()
  hydrate(client, JSON.parse(JSON.stringify(dehydrate(before))))
  const unread: Journal = { ...memoryJournal(), list: () => new Promise(() => {}) }
  const journal = historyJournal({ ...historyJournal(unread, client, { name: 'mine' }) }, client)

  const { result } = renderHook(() => useHistory(guide, { journal }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })

  expect(titlesOf(result.current.runs)).toBe('Trip')
})

it('warns of two journals that have one name', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const client = newClient()
  const journals = [historyJournal(memoryJournal(), client), memoryJournal()]
  const page = (journal: Journal | undefined) => (
    <QueryClientProvider client={client}>
      <ReActProvider {...(journal && { journal })}>
        <Titles />
      </ReActProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(page(journals[0]))
  rerender(page(journals[0]))
  const first = warn.mock.calls.length
  rerender(page(journals[1]))
  const calls = warn.mock.calls.slice()
  warn.mockRestore()

  expect(first).toBe(0)
  expect(calls).toEqual([[expect.stringContaining('with the name "default"')]])
})

it('reads lists of other page sizes for themselves', async () => {
  const client = newClient()
  const journal = historyJournal(await journalOf('One', 'Two', 'Three'), client)

  const { texts } = show(
    client,
    <ReActProvider journal={journal}>
      <Titles pageSize={2} />
      <Titles />
    </ReActProvider>,
  )

  const three = expect.stringMatching(/^\w+,\w+,\w+ false$/)
  await waitFor(() => expect(texts()).toEqual([expect.stringMatching(/^\w+,\w+ true$/), three]))
})

it('removes the log of a deleted run, and of its child runs', async () => {
  const client = newClient()
  const journal = historyJournal(await journalOf('Trip', 'Trip/x', 'Trips'), client)
  for (const id of ['Trip', 'Trip/x', 'Trips']) await client.fetchQuery(logOptions(journal, id))

  await journal.delete('Trip')

  expect(client.getQueriesData({ queryKey: historyKeys.all }).map(([key]) => key.at(-1))).toEqual(['Trips'])
})
