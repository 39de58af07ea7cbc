import { AgentError, agent, type Run } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Transcript } from '../transcript/Transcript.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A model that is busy until it is released. */
function busyRun(statusCode: number, seconds: number): { readonly run: Run; readonly release: () => void } {
  const inner = scriptedModel('Done.')
  let isBusy = true
  const error = Object.assign(new Error('Busy.'), {
    statusCode,
    isRetryable: true,
    responseHeaders: { 'retry-after': String(seconds) },
  })
  const model = {
    ...inner,
    specificationVersion: 'v4' as const,
    doStream: (options: Parameters<typeof inner.doStream>[0]) =>
      isBusy ? Promise.reject(error) : inner.doStream(options),
  }
  const run = agent({ name: 'guide', model: model as typeof inner }).start('Hello')
  return {
    run,
    release: () => {
      isBusy = false
    },
  }
}
const notes = () => [...document.querySelectorAll('[data-interleave="busy"]')].map(({ textContent }) => textContent)
const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms))

it('counts the seconds of a service that is busy, and is gone once it answers', async () => {
  vi.useFakeTimers()
  const { run, release } = busyRun(429, 12)
  render(<SignalOutlet run={run} />)

  await pass(100)
  expect(notes()).toEqual(['The service is busy. Again in 12 seconds.'])
  await pass(4_000)
  expect(notes()).toEqual(['The service is busy. Again in 8 seconds.'])
  release()
  await pass(9_000)

  expect(run.state.signal?.type).toBe('answer')
  expect(notes()).toEqual([])
})

it.each([
  ['beside an outlet', true],
  ['in the transcript alone', false],
])('is shown once: %s', async (_, hasOutlet) => {
  vi.useFakeTimers()
  const { run } = busyRun(429, 5)
  render(
    <>
      <Transcript run={run} />
      {hasOutlet && <SignalOutlet run={run} />}
    </>,
  )

  await pass(100)

  expect(notes()).toEqual(['The service is busy. Again in 5 seconds.'])
  await run.stop()
})

it('calls a service that does not answer not busy', async () => {
  vi.useFakeTimers()
  const { run } = busyRun(500, 5)
  render(<SignalOutlet run={run} />)

  await pass(100)

  expect(notes()).toEqual(['The service did not answer. Trying again.'])
  await act(() => run.stop())
  expect(notes()).toEqual([])
})

it('says that nothing is saved while the journal is away, also of a run that is stopped', async () => {
  vi.useFakeTimers()
  const kept = memoryJournal()
  let isAway = true
  const journal = {
    ...kept,
    append: (...write: Parameters<typeof kept.append>) => {
      if (isAway) throw new AgentError('journal_failed', 'It fails over.', { retryable: true })
      return kept.append(...write)
    },
  }
  const run = agent({ name: 'guide', model: scriptedModel('Hi.') }).start('Hello', { journal })
  render(<SignalOutlet run={run} />)
  await pass(2_000)
  expect(notes()).toEqual(['Not saved yet. Trying again in 2 seconds.'])

  const stopped = run.stop()
  await pass(2_000)
  expect(notes()).toEqual(['Not saved yet. Trying again in 4 seconds.'])
  isAway = false
  await pass(10_000)
  await stopped

  expect(run.state.signal?.type).toBe('stopped')
  expect(notes()).toEqual([])
})

it.each([
  ['by the outlet where there is one', true, 0],
  ['by the transcript alone', false, 1],
])('shows a failure once: %s', async (_, hasOutlet, inTranscript) => {
  const run = agent({ name: 'guide', model: scriptedModel(new Error('No.')) }).start('Hello')
  await run.settled
  vi.spyOn(console, 'error').mockReturnValue()

  render(
    <>
      <Transcript run={run} />
      {hasOutlet && <SignalOutlet run={run} />}
    </>,
  )

  expect(screen.getAllByText('The agent could not finish.')).toHaveLength(1)
  expect(screen.getByRole('list').querySelectorAll('[data-type="settled"]')).toHaveLength(inTranscript)
})

it('leaves a failure in the transcript to an outlet that shows none', async () => {
  const run = agent({ name: 'guide', model: scriptedModel(new Error('No.')) }).start('Hello')
  await run.settled

  render(
    <>
      <Transcript run={run} />
      <SignalOutlet run={run} failures={false} />
    </>,
  )

  expect(screen.getAllByText('The agent could not finish.')).toHaveLength(1)
})
