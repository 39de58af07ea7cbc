import { type Agent, AgentError, type AgentHandle, agent, type Run } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { createRunStore } from './RunStore.ts'
import { manualFrames } from './testing/testSupport.tsx'
import type { UseReActOptions } from './useReAct.ts'
import { useReAct } from './useReAct.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const talker = (name = 'talker', ...turns: string[]): Agent<string> => agent({ name, model: scriptedModel(...turns) })

/** An agent elsewhere whose runs are found when the test says so. */
function findable() {
  const finds = new Map<string, { find: () => void; fail: () => void }>()
  const handle: AgentHandle<string> = {
    name: 'talker',
    start: (input, options) => talker('talker', 'Hi').start(input, options),
    resume: (id) =>
      new Promise((resolve, reject) => {
        finds.set(id, {
          find: () => resolve(talker('talker', `I am ${id}.`).start('Go', { id })),
          fail: () => reject(new AgentError('journal_failed', 'No connection.', { retryable: true })),
        })
      }),
  }
  return { handle, finds }
}
const settled = (find: (() => void) | undefined): Promise<void> =>
  act(async () => {
    find?.()
    await new Promise((resolve) => setTimeout(resolve))
  })

it('says that it looks for a run, until it is found', async () => {
  const { handle, finds } = findable()
  const { result } = renderHook(() => useReAct(handle, { runId: 'a' }))
  const before = result.current.isAttaching

  await settled(finds.get('a')?.find)

  expect(before).toBe(true)
  expect(result.current).toMatchObject({ isAttaching: false, answer: 'I am a.' })
})

it('loads again on resume, and removes the error', async () => {
  const { handle, finds } = findable()
  const { result } = renderHook(() => useReAct(handle, { runId: 'a' }), { wrapper: StrictMode })
  await settled(finds.get('a')?.fail)
  const { error, isAttaching } = result.current

  act(() => result.current.resume())
  const again = [result.current.error, result.current.isAttaching]
  await settled(finds.get('a')?.find)

  expect([error?.message, isAttaching]).toEqual(['No connection.', false])
  expect(again).toEqual([undefined, true])
  expect(result.current).toMatchObject({ answer: 'I am a.', error: undefined })
})

it('looks again when the journal is there', async () => {
  const journal = memoryJournal()
  await talker('talker', 'Kept.').start('Go', { journal, id: 'a' }).settled
  const guide = talker()
  const { result, rerender } = renderHook(
    ({ options }: { options: UseReActOptions }) => useReAct(guide, { runId: 'a', ...options }),
    { initialProps: { options: {} as { journal?: Journal } } },
  )
  await waitFor(() => expect(result.current.error).toBeDefined())

  rerender({ options: { journal } })
  await waitFor(() => expect(result.current.answer).toBe('Kept.'))

  expect(result.current.error).toBe(undefined)
})

it('shows the run that was named last, whichever is found first', async () => {
  const { handle, finds } = findable()
  const { result, rerender } = renderHook(({ runId }) => useReAct(handle, { runId }), { initialProps: { runId: 'a' } })

  for (const runId of ['b', 'c', 'a', 'd']) rerender({ runId })
  await settled(finds.get('d')?.find)
  for (const { find } of finds.values()) await settled(find)

  expect(result.current.run?.id).toBe('d')
})

it('releases the run if the agent has another name', async () => {
  const { result, rerender } = renderHook(({ guide }) => useReAct(guide), {
    initialProps: { guide: talker('one', 'One.') },
  })
  const run = await act(async () => result.current.start('Go'))

  rerender({ guide: talker('two', 'Two.') })
  const between = result.current.run
  await act(async () => void (await result.current.start('Go').settled))

  expect(between).toBe(undefined)
  expect(result.current.answer).toBe('Two.')
  expect(await run.settled).toMatchObject({ output: 'One.' })
})

it('shows the other run at once when it is swapped in the middle of both', async () => {
  const half = (text: string): Run<string> => {
    const model = scriptedModel(text)
    const doStream: typeof model.doStream = async (call) => {
      const { stream } = await model.doStream(call)
      const reader = stream.getReader()
      let parts = 0
      return {
        stream: new ReadableStream({
          pull: async (to) => (parts++ < 4 ? to.enqueue((await reader.read()).value) : new Promise(() => {})),
        }),
      } as never
    }
    return agent({ name: 'talker', model: { ...model, doStream } }).start('Go')
  }
  const [one, two] = [half('one more'), half('two more')]
  const guide = talker()
  const { result, rerender } = renderHook(({ run }) => useReAct(guide, { run }).draft?.text, {
    initialProps: { run: one },
  })
  await waitFor(() => expect([one.state.draft?.text, two.state.draft?.text]).toEqual(['one more', 'two more']))

  rerender({ run: two })

  expect(result.current).toBe('two more')
  await act(() => Promise.all([one.stop(), two.stop()]))
})

it('stops a run that was still being looked for when the component was removed', async () => {
  const { handle, finds } = findable()
  const model = scriptedModel(() => new Promise(() => {}))
  const run = agent({ name: 'talker', model }).start('Go')
  handle.resume = () => new Promise((resolve) => finds.set('a', { find: () => resolve(run), fail: () => {} }))
  const { unmount } = renderHook(() => useReAct(handle, { runId: 'a', onUnmount: 'stop' }))

  unmount()
  await settled(finds.get('a')?.find)

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

it('waits for the run that is looked for before it stops or answers it', async () => {
  const { handle, finds } = findable()
  const { result } = renderHook(() => useReAct(handle, { runId: 'a' }))

  const stopped = result.current.stop('Enough.')
  const replied = result.current.reply('x', 1)
  replied.catch(() => {})
  await settled(finds.get('a')?.find)
  await stopped

  await expect(replied).rejects.toThrow('x')
})

it('starts no other run with a message to a run that cannot be loaded', async () => {
  const { handle, finds } = findable()
  const { result, rerender } = renderHook(({ runId }) => useReAct(handle, { runId }), { initialProps: { runId: 'a' } })
  const said = result.current.say('And?').catch((error: Error) => error.message)

  rerender({ runId: 'b' })
  await settled(finds.get('b')?.find)
  await settled(finds.get('a')?.fail)

  expect(await said).toContain('could not be loaded')
  expect(result.current.run?.id).toBe('b')
})

it.each(['start', 'reset'] as const)(
  'acts on the run that is shown after %s(), and not on the one that is looked for',
  async (name) => {
    const { handle, finds } = findable()
    const { result } = renderHook(() => useReAct(handle, { runId: 'a' }))
    let started: Run | undefined
    act(() => {
      started = result.current[name]('Go') as Run | undefined
    })

    const said = act(() => result.current.say('And?'))
    const replied = result.current.reply('x', 1).catch((error: Error) => error.message)
    await settled(finds.get('a')?.find)
    await said
    const { run } = result.current

    expect(run?.id).not.toBe('a')
    expect(started && run).toBe(started)
    expect(JSON.stringify(run?.log)).toContain('And?')
    expect(await replied).toContain('x')
  },
)

it.each([
  ['test', 1],
  ['production', 0],
])('warns of an agent that is made in each render, and of no other: in %s %d times', async (mode, times) => {
  vi.stubEnv('NODE_ENV', mode)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const stable = talker('stable', 'one two three four five six')
  const { frame, next } = manualFrames()
  const run = stable.start('Go')
  createRunStore(run, { frame })
  run.subscribe(() => act(next))

  renderHook(() => useReAct(stable, { run }).draft)
  renderHook(() => useReAct(talker('inline'), { run }).draft)
  await waitFor(() => expect(run.state.signal).toBeDefined())

  expect(warn.mock.calls.filter(([message]) => message.includes('"inline"')).length).toBe(times)
  expect(warn.mock.calls.length).toBe(times)
})

/** An agent that cannot start a run, as one whose storage the browser denies. */
const denied = (): AgentHandle<string> => ({
  name: 'denied',
  start: () => {
    throw new AgentError('options_invalid', 'The storage is denied.')
  },
  resume: () => Promise.reject(new AgentError('journal_failed', 'The storage is denied.')),
})

it('shows what start throws', () => {
  const { result } = renderHook(() => useReAct(denied()))

  act(() => void expect(() => result.current.start('Go')).toThrow('The storage is denied.'))

  expect(result.current.error).toMatchObject({ code: 'options_invalid', message: 'The storage is denied.' })
})

it('shows why a message was not accepted, and leaves no rejection that nothing handles', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const { result } = renderHook(() => useReAct(denied()))

  await act(async () => {
    void result.current.say('Go')
    await new Promise((resolve) => setTimeout(resolve))
  })
  await act(async () => expect(result.current.say('Go')).rejects.toThrow('The storage is denied.'))

  process.off('unhandledRejection', unhandled)
  expect(result.current.error).toMatchObject({ code: 'options_invalid' })
  expect(unhandled).not.toHaveBeenCalled()
})

it('removes the error once the next message is accepted', async () => {
  const handles = { denied: denied(), talker: { ...findable().handle, name: 'denied' } }
  const { result, rerender } = renderHook(({ guide }) => useReAct(guide), { initialProps: { guide: handles.denied } })
  await act(async () => result.current.say('Go').catch(() => {}))
  const before = result.current.error

  rerender({ guide: handles.talker })
  await act(async () => result.current.say('Go'))

  expect(before).toBeDefined()
  expect(result.current.error).toBe(undefined)
})
