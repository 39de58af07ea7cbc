import { AgentError, agent, tool } from '@interleave/core'
import { eventsOf, failureSentences, pastRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ReActProvider } from '../ReActProvider.tsx'
import { faults } from '../testing/renderAsk.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
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

it('shows what a user can do about a failure, and tries again', async () => {
  const run = failingRun()
  render(<SignalOutlet run={run} />, { wrapper: StrictMode })
  const before = screen.queryByRole('alert')

  await act(() => run.settled)
  const failed = alert().textContent
  const found = await faults()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Hello.' }))

  expect(before).toBe(null)
  expect(failed).toContain(failureSentences.model_failed)
  expect(failed).not.toContain('API key')
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

  expect(said).toEqual([
    expect.stringMatching(
      /^The agent "guide" failed \(model_failed\): OpenAI API key is missing.*\nGive the model an API key/,
    ),
  ])
})

it('leaves it to an app that shows failures itself', async () => {
  const run = failingRun()
  await run.settled

  render(<SignalOutlet run={run} failures={false} />)

  expect(screen.queryByRole('alert')).toBe(null)
  expect(said).toEqual([])
})

it('hides nothing in what an app wrote for its users', async () => {
  const run = failingRun(new AgentError('model_failed', 'No.', { userMessage: 'All is \u202ewell' }))
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

  expect(alert().textContent).toContain(failureSentences.options_invalid)
})

it('shows the reason in the page if its developer wants it', async () => {
  const run = failingRun()
  await run.settled

  render(
    <ReActProvider exposeErrors>
      <SignalOutlet run={run} />
    </ReActProvider>,
  )

  expect(alert().textContent).toMatch(/OpenAI API key is missing.*Give the model an API key/)
})

it('shows the sentence in a transcript too, and the reason of a failed call to no one', async () => {
  const look = tool({ inputSchema: z.object({}), execute: () => Promise.reject(new Error('at 10.0.0.7')) })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, keyless)
  const run = agent({ name: 'guide', model, tools: { look } }).start('Go')
  await run.settled

  const { container } = render(<Transcript run={run} />)

  expect(container.textContent).toContain(failureSentences.model_failed)
  expect(container.textContent).toContain(failureSentences.tool_failed)
  expect(container.textContent).not.toMatch(/10\.0\.0\.7|API key/)
  expect(said).toHaveLength(1)
})
