import { type Agent, agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { ReActProvider } from './ReActProvider.tsx'
import { useRuns } from './useRuns.ts'

afterEach(cleanup)

const talker = (name = 'talker'): Agent<string> =>
  agent({ name, model: scriptedModel('One two three.', 'Four five six.', 'Seven.') })

it('shows many runs of one agent, and renders once for each that is added', async () => {
  const guide = talker()
  let renders = 0
  const { result } = renderHook(() => {
    renders++
    return useRuns(guide)
  })

  act(() => void result.current.start('First'))
  act(() => void result.current.start('Second'))
  await act(() => Promise.all(result.current.runs.map((run) => run.settled)))

  expect(result.current.runs.length).toBe(2)
  expect(renders).toBe(3)
})

it('shows them again when it is mounted again, and to everybody', async () => {
  const guide = talker()
  const first = renderHook(() => useRuns(guide))
  act(() => void first.result.current.start('First'))
  const { runs } = first.result.current
  first.unmount()

  const { result } = renderHook(() => useRuns(guide), { wrapper: StrictMode })
  const other = renderHook(() => useRuns(guide))
  act(() => void other.result.current.start('Second'))

  expect(result.current.runs[0]).toBe(runs[0])
  expect(result.current.runs).toBe(other.result.current.runs)
})

it('shows the same runs if the agent is a new object in each render, and starts with the latest', async () => {
  const { result, rerender } = renderHook(() => useRuns(talker()))
  act(() => void result.current.start('First'))
  const { runs, start } = result.current

  rerender()

  expect(result.current.runs).toBe(runs)
  expect(result.current.start).toBe(start)
})

it('shows the runs of another agent by its name', () => {
  const [one, two] = [talker('one'), talker('two')]
  const { result, rerender } = renderHook(({ guide }) => useRuns(guide), { initialProps: { guide: one } })
  act(() => void result.current.start('First'))

  rerender({ guide: two })
  const ofTwo = result.current.runs
  rerender({ guide: one })

  expect(ofTwo).toEqual([])
  expect(result.current.runs.length).toBe(1)
})

it('removes a run from the list, which continues', async () => {
  const { result } = renderHook(() => useRuns(talker()))
  let run = act(() => result.current.start('First')) as unknown as ReturnType<typeof result.current.start>
  run = result.current.runs[0] ?? run

  act(() => result.current.forget(run))

  expect(result.current.runs).toEqual([])
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('attaches to a run of the journal once', async () => {
  const journal = memoryJournal()
  const guide = talker()
  await talker().start('Go', { journal, id: 'a' }).settled
  const { result } = renderHook(() => useRuns(guide), {
    wrapper: ({ children }) => <ReActProvider journal={journal}>{children}</ReActProvider>,
  })

  await act(() => Promise.all([result.current.attach('a'), result.current.attach('a')]))
  await act(() => result.current.attach('a'))

  expect(result.current.runs.map(({ id }) => id)).toEqual(['a'])
})
