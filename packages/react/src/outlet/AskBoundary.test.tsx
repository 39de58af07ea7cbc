import { choice } from '@interleave/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { askingAgent } from '../testing/testSupport.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Breaks(): never {
  throw new RangeError('Maximum call stack size exceeded')
}

it('contains a question that fails to render in its dialog, where it can be read and postponed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const run = askingAgent(choice({ prompt: 'Which color?', options: ['Red', 'Blue'] })).start('Go')
  await run.settled

  render(
    <>
      <SignalOutlet run={run} components={{ choice: Breaks }} />
      <p>beside</p>
    </>,
  )

  expect(screen.getByRole('dialog', { name: 'Which color?' }).textContent).toContain('could not be shown')
  expect(screen.getByText('beside')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Answer later' })).toBeTruthy()
})
