import { agent } from '@interleave/core'
import { eventsOf, pastRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { faults } from '../testing/renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

const said: unknown[] = []
beforeEach(() => {
  said.length = 0
  vi.spyOn(console, 'error').mockImplementation((...words) => void said.push(words.join(' ')))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const keyless = Object.assign(new Error("OpenAI API key is missing. Pass it using the 'apiKey' parameter."), {
  name: 'AI_LoadAPIKeyError',
})
/** A run whose first turn fails so. */
function failingRun(error: Error = keyless) {
  const model = scriptedModel(() => {
    throw error
  }, 'Hello.')
  return agent({ name: 'guide', model }).start('Go')
}
const alert = (): HTMLElement => screen.getByRole('alert')

it('shows why a run failed and what to do, and tries again', async () => {
  const run = failingRun()
  render(<SignalOutlet run={run} />, { wrapper: StrictMode })
  const before = screen.queryByRole('alert')

  await act(() => run.settled)
  const failed = alert().textContent
  const found = await faults()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(run.state.rest).toMatchObject({ type: 'answer', output: 'Hello.' }))

  expect(before).toBe(null)
  expect(failed).toMatch(/OpenAI API key is missing.*Give the model an API key/)
  expect(found).toEqual([])
  await waitFor(() => expect(screen.queryByRole('alert')).toBe(null))
  expect(document.activeElement?.getAttribute('data-interleave')).toBe('failed')
})

it('says it in the console once, however many components show it', async () => {
  const run = failingRun()
  await run.settled

  const { rerender } = render(
    <>
      <SignalOutlet run={run} />
      <SignalOutlet run={run} />
    </>,
    { wrapper: StrictMode },
  )
  rerender(<SignalOutlet run={run} />)

  expect(said).toEqual([expect.stringMatching(/^The agent "guide" failed \(model_failed\): OpenAI API key is missing/)])
})

it('leaves it to an app that shows failures itself', async () => {
  const run = failingRun()
  await run.settled

  render(<SignalOutlet run={run} failures={false} />)

  expect(screen.queryByRole('alert')).toBe(null)
  expect(said).toEqual([])
})

it('hides nothing in what a server wrote', async () => {
  const run = failingRun(new Error('All is \u202ewell'))
  await run.settled

  render(<SignalOutlet run={run} />)

  expect(alert().textContent).toContain('U+202E')
})

it('shows why a past run cannot be retried', async () => {
  const run = failingRun()
  await run.settled
  const events = []
  for await (const event of eventsOf(run)) if ('seq' in event) events.push(event)
  render(<SignalOutlet run={pastRun(events)} />)

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))

  expect(alert().textContent).toContain('cannot change')
})
