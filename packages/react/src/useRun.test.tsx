import { agent, type Run, type RunState } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useStore } from 'zustand'
import { createRunStore } from './RunStore.ts'
import { manualFrames } from './testing/testSupport.tsx'
import { useRun } from './useRun.ts'

afterEach(cleanup)

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
const start = (text: string): Run => agent({ name: 'talker', model: scriptedModel(text) }).start('Go')
const answerOf = ({ signal }: RunState): unknown => (signal?.type === 'answer' ? signal.output : '…')
const Answer = ({ run }: { readonly run: Run | undefined }) => <output>{String(useRun(run, answerOf))}</output>

it('renders what the selector finds', async () => {
  const run = start('Five.')
  render(<Answer run={run} />)

  await act(() => run.settled)

  expect(screen.getByRole('status').textContent).toBe('Five.')
})

it('reads a run with the hook of zustand', async () => {
  const run = start('Five.')
  const Bound = () => <output>{String(useStore(createRunStore(run), answerOf))}</output>
  render(<Bound />)

  await act(() => run.settled)

  expect(screen.getByRole('status').textContent).toBe('Five.')
})

it('gives the selector an empty state without a run', () => {
  render(<Answer run={undefined} />)

  expect(screen.getByRole('status').textContent).toBe('…')
})

it('renders twice for an answer of a thousand deltas without a frame in between', async () => {
  const run = start(words(1_000))
  createRunStore(run, manualFrames())
  let renders = 0
  const Text = () => {
    renders++
    return <output>{useRun(run, ({ draft, signal }) => draft?.text ?? signal?.type)}</output>
  }

  render(<Text />)
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('answer'))

  expect(renders).toBe(2)
})

it('does not render for what the selector does not look at', async () => {
  const { frame, next } = manualFrames()
  const run = start(words(20))
  createRunStore(run, { frame })
  let renders = 0
  const Text = () => {
    renders++
    return <output>{useRun(run, ({ usage }) => usage.outputTokens)}</output>
  }
  run.subscribe((event) => event.type === 'delta' && next())

  render(<Text />)
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('5'))

  expect(renders).toBe(2)
})

it('returns the previous value if the new one is equal, also with an inline selector', async () => {
  const run = start('Hi')
  const seen = new Set<unknown>()
  const Names = () => {
    seen.add(
      useRun(
        run,
        (state) => [state.agent],
        (a, b) => a[0] === b[0],
      ),
    )
    return null
  }
  const { rerender } = render(<Names />)

  await act(() => run.settled)
  rerender(<Names />)

  expect(seen.size).toBe(1)
})

it('releases the run when it unmounts, under StrictMode too', async () => {
  const run = start('Hi')
  let listeners = 0
  const counted: Run = Object.create(run, {
    subscribe: {
      value: (listener: Parameters<Run['subscribe']>[0]) => {
        const end = run.subscribe(listener)
        listeners++
        return () => {
          listeners--
          end()
        }
      },
    },
  })

  const { unmount } = render(<Answer run={counted} />, { wrapper: StrictMode })
  const mounted = listeners
  unmount()

  expect([mounted, listeners]).toEqual([1, 0])
})

it('shows another run at once', async () => {
  const first = start('One')
  const second = start('Two')
  await Promise.all([first.settled, second.settled])

  const { rerender } = render(<Answer run={first} />)
  rerender(<Answer run={second} />)

  expect(screen.getByRole('status').textContent).toBe('Two')
})
