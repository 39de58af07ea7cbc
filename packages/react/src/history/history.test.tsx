import { type Agent, AgentError, agent, choice, tool } from '@interleave/core'
import { type Journal, memoryJournal, type RunSummary } from '@interleave/core/journal'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { scriptedModel } from '@interleave/testing'
import { QueryClient, QueryClientProvider, useInfiniteQuery, useIsMutating } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { ReActProvider } from '../ReActProvider.tsx'
import { askingAgent } from '../testing/testSupport.tsx'
import { useReAct } from '../useReAct.ts'
import { historyJournal, historyKeys, historyOptions, logOptions, useHistory } from './index.ts'

afterEach(cleanup)

const talker = (...turns: string[]): Agent<string> => agent({ name: 'talker', model: scriptedModel(...turns) })
const titlesOf = (runs: readonly RunSummary[]): readonly string[] => runs.map(({ title }) => title)

/** A journal in a page, and a client that does not wait before it tries again. */
function page(kept: Journal = memoryJournal()) {
  const client = new QueryClient({ defaultOptions: { mutations: { retryDelay: 0 }, queries: { retry: false } } })
  const journal = historyJournal(kept, client)
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <ReActProvider journal={journal}>{children}</ReActProvider>
    </QueryClientProvider>
  )
  return { client, journal, wrapper }
}

it('shows a list in which an older version stored ids that no page can show', async () => {
  const odd = { agent: 'talker', version: '1', title: '', events: 1 }
  const rows: RunSummary[] = [
    { ...odd, runId: 'a', startedAt: 9e15, updatedAt: 1e300 },
    { ...odd, runId: 'b\ud800', startedAt: 2, updatedAt: 2 },
    { ...odd, runId: 'constructor', startedAt: 1, updatedAt: 1 },
  ]
  const { wrapper } = page({ ...memoryJournal(), list: () => rows })
  const guide = talker()

  const { result } = renderHook(() => useHistory(guide), { wrapper })
  await waitFor(() => expect(result.current.isLoading).toBe(false))

  const shown = result.current.runs.map(
    ({ runId, updatedAt }) => `${encodeURIComponent(runId)} ${new Date(updatedAt).toISOString()}`,
  )
  expect(shown).toEqual(['a 1970-01-01T00:00:00.000Z', 'constructor 1970-01-01T00:00:00.001Z'])
})

it('reads the runs of an agent page by page, newest first, without child runs', async () => {
  const { journal, wrapper } = page()
  const other = agent({ name: 'other', model: scriptedModel('Hi') })
  await other.start('Not mine', { journal }).settled
  for (const title of ['One', 'Two', 'Three']) {
    const run = talker('Hi').start(title, { journal, id: title })
    await run.settled
    await talker('Hi').start(`${title}, below`, {
      journal,
      id: `${title}/x`,
      parent: { runId: title, key: 'x', depth: 1 },
    }).settled
  }
  const guide = talker()
  const { result } = renderHook(() => useHistory(guide, { pageSize: 4 }), { wrapper })
  await waitFor(() => expect(result.current.isLoading).toBe(false))
  const first = [...titlesOf(result.current.runs)]

  act(() => result.current.loadMore())
  await waitFor(() => expect(result.current.hasMore).toBe(false))

  expect(first.length).toBeLessThan(3)
  expect([...titlesOf(result.current.runs)].sort()).toEqual(['One', 'Three', 'Two'])
})

it('says, once, and shows that it does', async () => {
  const { journal, wrapper } = page()
  const guide = talker('One.', 'Two.')
  await guide.start('First', { journal, id: 'a' }).settled
  const { result } = renderHook(
    () => ({ ...useHistory(guide), saying: useIsMutating({ mutationKey: historyKeys.actions(journal, 'a') }) }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.runs.length).toBe(1))
  const before = result.current.runs[0]?.events

  const run = await act(() => result.current.say('a', 'Second'))
  await act(() => run.settled)

  expect(run.state.signal).toMatchObject({ output: 'Two.' })
  await waitFor(() => expect(result.current.runs[0]?.events).toBeGreaterThan(before ?? 0))
  expect(result.current.saying).toBe(0)
})

it('tries again what failed for the moment, and does it once', async () => {
  const journal = memoryJournal()
  const guide = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))
  // A run that works in this page would not be resumed.
  await guide.start('Go', { journal: inAnotherProcess(journal), id: 'a' }).settled
  let failures = 1
  const handle = {
    ...guide,
    name: guide.name,
    start: guide.start,
    async resume(id: string) {
      const run = await guide.resume(id, { journal })
      const reply = async (...args: Parameters<typeof run.reply>) => {
        await run.reply(...args)
        if (failures-- > 0) throw new AgentError('remote_failed', 'The answer was lost.', { retryable: true })
      }
      return Object.create(run, { reply: { value: reply } })
    },
  }
  const { wrapper } = page(journal)
  const { result } = renderHook(() => useHistory(handle), { wrapper })

  const run = await act(() => result.current.reply('a', '1/tool/0/ask/0', 'a'))
  await act(() => run.settled)

  const replies = (await journal.read('a')).filter(({ type }) => type === 'replied')
  expect([failures, replies.length]).toEqual([0, 1])
})

it('rejects with what is wrong with a reply, and does not try it again', async () => {
  const { journal, wrapper } = page()
  const guide = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))
  await guide.start('Go', { journal, id: 'a' }).settled
  const { result } = renderHook(() => useHistory(guide), { wrapper })

  const problem = await act(() => result.current.reply('a', '1/tool/0/ask/0', 'c').catch((error: unknown) => error))

  expect(problem).toMatchObject({ code: 'reply_invalid' })
})

it('forks a run into a new one, which is listed', async () => {
  const { journal, wrapper } = page()
  const guide = talker('One.', 'Two.')
  await guide.start('Rome', { journal, id: 'a' }).settled
  const { result } = renderHook(() => useHistory(guide), { wrapper })

  const run = await act(() => result.current.fork('a', { at: 1, edit: { content: 'Paris' } }))
  await act(() => run.settled)

  await waitFor(() => expect([...titlesOf(result.current.runs)].sort()).toEqual(['Paris', 'Rome']))
})

it('stops and deletes a run that works, which leaves the list at once', async () => {
  const { journal, wrapper } = page()
  const guide = agent({ name: 'talker', model: scriptedModel(() => new Promise(() => {})) })
  const { result } = renderHook(() => ({ ...useHistory(guide), ...useReAct(guide) }), { wrapper })
  const run = await act(async () => result.current.start('Go'))
  await waitFor(() => expect(titlesOf(result.current.runs)).toEqual(['Go']))

  const removed = result.current.remove(run.id)
  await waitFor(() => expect(titlesOf(result.current.runs)).toEqual([]))
  await act(() => removed)

  expect(run.state.signal).toMatchObject({ type: 'stopped', reason: 'Deleted.' })
  expect(await journal.read(run.id)).toEqual([])
})

it('brings back what could not be deleted, also where nothing can be read any more', async () => {
  const journal: Journal = { ...memoryJournal() }
  await talker('Hi').start('Stay', { journal, id: 'a' }).settled
  const { wrapper } = page(journal)
  const guide = talker()
  const { result } = renderHook(() => useHistory(guide), { wrapper })
  await waitFor(() => expect(result.current.runs.length).toBe(1))
  let fail: (error: Error) => void = () => {}
  journal.delete = () => new Promise((_, reject) => (fail = reject))
  journal.list = () => Promise.reject(new Error('The disk is gone.'))

  const removed = result.current.remove('a').catch((error: Error) => error.message)
  await waitFor(() => expect(titlesOf(result.current.runs)).toEqual([]))
  fail(new AgentError('not_allowed', 'It is kept by law.'))

  expect(await act(() => removed)).toBe('It is kept by law.')
  await waitFor(() => expect(titlesOf(result.current.runs)).toEqual(['Stay']))
})

it('is true while runs begin and rest that others start', async () => {
  const { journal, wrapper } = page()
  const guide = talker('Hi')
  const { result } = renderHook(() => useHistory(guide), { wrapper })
  await waitFor(() => expect(result.current.isLoading).toBe(false))

  const run = guide.start('Go', { journal })
  await act(() => run.settled)

  await waitFor(() => expect(result.current.runs).toMatchObject([{ title: 'Go', signal: 'answer' }]))
})

it('says what is missing without a journal', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const guide = talker()
  const { result } = renderHook(() => useHistory(guide), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })

  await waitFor(() => expect(result.current.error?.message).toContain('<ReActProvider journal={journal}>'))
})

it('gives options for lists and logs of a journal that is opened when it is needed', async () => {
  const { client, journal, wrapper } = page()
  await talker('Hi').start('Go', { journal, id: 'a' }).settled
  const { result } = renderHook(() => useInfiniteQuery(historyOptions({ journal: async () => journal })), { wrapper })

  await waitFor(() => expect(result.current.data).toMatchObject([{ title: 'Go' }]))

  expect(await client.fetchQuery(logOptions(journal, 'a'))).toEqual(await journal.read('a'))
})

/** An agent that asks, and then works until it is stopped. */
const busy = (): Agent<string> => {
  const wait = tool({
    inputSchema: z.object({}),
    async execute(_, { ask, abortSignal }) {
      await ask(choice({ prompt: 'Which?', options: ['a', 'b'] }))
      await new Promise((resolve) => abortSignal.addEventListener('abort', resolve))
    },
  })
  return agent({ name: 'busy', model: scriptedModel({ calls: [{ name: 'wait', input: {} }] }), tools: { wait } })
}

it.each([
  ['of a historyJournal', true],
  ['of the journal itself', false],
])('shows what others write, as another tab or a worker does, with the status %s', async (_, isNamed) => {
  const elsewhere = memoryJournal()
  const { client, journal } = page(elsewhere)
  const guide = busy()
  const { result, unmount } = renderHook(() => useHistory(guide, { journal: isNamed ? journal : elsewhere }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  const rest = () => result.current.runs.map((run) => run.signal ?? 'working')
  await waitFor(() => expect(result.current.isLoading).toBe(false))

  const run = guide.start('Go', { journal: elsewhere })
  await waitFor(() => expect(rest()).toEqual(['inputNeeded']))
  await act(() => run.reply('1/tool/0/ask/0', 'a'))
  await waitFor(() => expect(rest()).toEqual(['working']))
  await act(() => run.stop())
  await waitFor(() => expect(rest()).toEqual(['stopped']))
  await elsewhere.delete(run.id)

  await waitFor(() => expect(rest()).toEqual([]))
  unmount()
})

it('shows that a run works again after a reply, also with a journal without notifications', async () => {
  const { watch: _, ...silent } = memoryJournal()
  const { journal, wrapper } = page(silent)
  const guide = busy()
  const { result } = renderHook(() => useHistory(guide), { wrapper })
  const run = guide.start('Go', { journal })
  await waitFor(() => expect(result.current.runs[0]?.signal).toBe('inputNeeded'))

  await act(() => run.reply('1/tool/0/ask/0', 'a'))

  await waitFor(() => expect(result.current.runs[0]).not.toHaveProperty('signal'))
  await act(() => run.stop())
})

it('watches a journal only while something of it is shown', async () => {
  let watching = 0
  const kept = memoryJournal()
  const { journal, wrapper } = page({
    ...kept,
    watch(listener: () => void) {
      watching++
      const leave = kept.watch(listener)
      return () => {
        watching--
        leave()
      }
    },
  } as Journal)
  const before = watching

  const first = renderHook(() => useHistory(talker()), { wrapper })
  const second = renderHook(() => useInfiniteQuery(historyOptions({ journal, agent: 'talker' })), { wrapper })
  const during = watching
  first.unmount()
  const still = watching
  second.unmount()

  expect([before, during, still, watching]).toEqual([0, 1, 1, 0])
})
