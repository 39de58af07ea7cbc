import { agent, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Component, type ReactNode, StrictMode, Suspense, startTransition, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { createRunStore } from './RunStore.ts'
import { useMessages } from './selections.ts'
import { manualFrames } from './testing/testSupport.tsx'
import { useReAct } from './useReAct.ts'
import { useRun, useRunEvent } from './useRun.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const guide = agent({ name: 'talker', model: scriptedModel() })
const start = (text: string): Run<string> => agent({ name: 'talker', model: scriptedModel(text) }).start('Go')

const namesOf = (length: number): readonly string[] => Array.from({ length }, (_, index) => `part ${index}`)

/** The same run, with the number of those who listen to it. */
function counted(run: Run<string>) {
  const count = { listeners: 0, run }
  count.run = Object.create(run, {
    subscribe: {
      value: (listener: Parameters<Run['subscribe']>[0]) => {
        const end = run.subscribe(listener)
        count.listeners++
        return () => {
          count.listeners--
          end()
        }
      },
    },
  })
  return count
}

it('leaves no listener behind after ten thousand mounts', async () => {
  const count = counted(start('Hi'))
  const Everything = () => {
    useRunEvent(count.run, 'delta', () => {})
    useReAct(guide, { run: count.run }).answer
    useMessages(count.run)
    return null
  }
  const Page = ({ round }: { readonly round: number }) =>
    namesOf(500).map((name) => <Everything key={`${round}/${name}`} />)
  const { rerender, unmount } = render(<Page round={0} />)
  const mounted = count.listeners

  for (let round = 1; round < 20; round++) rerender(<Page round={round} />)
  const remounted = count.listeners
  unmount()

  // One for the store of the run, and one for each listener to its events.
  expect([mounted, remounted, count.listeners]).toEqual([501, 501, 0])
  await count.run.settled
})

it('shows the same in all components, also in a transition', async () => {
  const { frame, next } = manualFrames()
  const run = start('one two three four five six')
  createRunStore(run, { frame })
  const seen: string[][] = []
  const Part = () => <output>{useRun(run, ({ draft }) => draft?.text ?? '-')}</output>
  let grow = (): void => {}
  const Page = () => {
    const [parts, setParts] = useState(1)
    grow = () => startTransition(() => setParts((count) => count + 1))
    return namesOf(parts).map((name) => <Part key={name} />)
  }
  render(<Page />, { wrapper: StrictMode })

  run.subscribe(() => {
    act(() => {
      grow()
      next()
    })
    seen.push(screen.getAllByRole('status').map(({ textContent }) => String(textContent)))
  })
  await act(() => run.settled)

  expect(seen.length).toBeGreaterThan(6)
  expect(seen.filter((texts) => new Set(texts).size > 1)).toEqual([])
})

it('updates other components when a selector throws', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const run = start('Hi')
  const Broken = () => (
    <p>
      {useRun(run, ({ signal }) => {
        if (signal) throw new Error('I do not know that.')
        return 'fine'
      })}
    </p>
  )
  const Whole = () => <output>{useRun(run, ({ signal }) => signal?.type)}</output>
  render(
    <>
      <Boundary>
        <Broken />
      </Boundary>
      <Whole />
    </>,
  )

  await act(() => run.settled)

  expect(screen.getByRole('alert').textContent).toBe('I do not know that.')
  expect(screen.getByRole('status').textContent).toBe('answer')
})

it('continues streaming next to and inside a suspended boundary', async () => {
  const { frame, next } = manualFrames()
  const run = start('one two three')
  createRunStore(run, { frame })
  let arrive = (): void => {}
  let isThere = false
  const arriving = new Promise<void>((resolve) => {
    arrive = () => {
      isThere = true
      resolve()
    }
  })
  const Slow = () => {
    if (!isThere) throw arriving
    return <p>There.</p>
  }
  const Text = () => <output>{useRun(run, ({ draft, signal }) => (signal ? 'Over.' : draft?.text))}</output>
  render(
    <>
      <Text />
      <Suspense fallback={<p>Loading</p>}>
        <Text />
        <Slow />
      </Suspense>
    </>,
  )

  run.subscribe(() => act(next))
  await waitFor(() => expect(screen.getAllByRole('status')[0]?.textContent).toBe('Over.'))
  await act(async () => arrive())

  expect(screen.getByText('There.')).toBeTruthy()
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual(['Over.', 'Over.'])
})

interface BoundaryState {
  readonly error?: Error
}
class Boundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = {}
  static getDerivedStateFromError(error: Error): BoundaryState {
    return { error }
  }
  override render(): ReactNode {
    return this.state.error ? <p role="alert">{this.state.error.message}</p> : this.props.children
  }
}
