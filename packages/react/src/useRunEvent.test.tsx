import { agent, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useRunEvent } from './useRun.ts'

afterEach(cleanup)

const start = (text: string): Run => agent({ name: 'talker', model: scriptedModel(text) }).start('Go')

it('receives each event of its type, live ones too, once', async () => {
  const run = start('one two three')
  const received: string[] = []
  renderHook(() => useRunEvent(run, 'delta', ({ delta }) => received.push(delta)), { wrapper: StrictMode })

  await act(() => run.settled)

  expect(received).toEqual(['one', ' two', ' three'])
})

it('calls the function of the latest render', async () => {
  const run = start('Hi')
  const received: string[] = []
  const { rerender } = renderHook(({ name }) => useRunEvent(run, 'settled', () => received.push(name)), {
    initialProps: { name: 'first' },
  })

  rerender({ name: 'second' })
  await act(() => run.settled)

  expect(received).toEqual(['second'])
})

it('does not render its component', async () => {
  const run = start('one two three')
  let renders = 0
  renderHook(() => {
    renders++
    useRunEvent(run, 'delta', () => {})
  })

  await act(() => run.settled)

  expect(renders).toBe(1)
})

it('listens to the run that it is given, and to none after it unmounts', async () => {
  const [one, two] = [start('One'), start('Two')]
  const fn = vi.fn()
  const { rerender, unmount } = renderHook(({ run }: { run: Run | undefined }) => useRunEvent(run, 'settled', fn), {
    initialProps: { run: one as Run | undefined },
  })

  rerender({ run: two })
  await act(() => Promise.all([one.settled, two.settled]))
  rerender({ run: undefined })
  unmount()
  await two.say('More')
  await two.settled

  expect(fn.mock.calls.map(([{ signal }]) => signal.output)).toEqual(['Two'])
})
