import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useRunState } from './index.ts'

afterEach(cleanup)

function counter() {
  const listeners = new Set<() => void>()
  const run = {
    state: 0,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    next() {
      run.state += 1
      for (const listener of listeners) listener()
    },
    listeners,
  }
  return run
}

it('renders each new state, and lets go of the run when it unmounts', () => {
  const run = counter()
  const Count = () => <output>{useRunState(run)}</output>
  const { unmount } = render(<Count />)

  act(() => run.next())

  expect(screen.getByRole('status').textContent).toBe('1')
  unmount()
  expect(run.listeners.size).toBe(0)
})
