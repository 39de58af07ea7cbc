import type { Signal } from '@interleave/core'
import { expect } from 'vitest'
import type { Capture } from './capture.ts'
import type { Split } from './pieces.ts'
import {
  expectedProviderTools,
  expectedReading,
  finishAgrees,
  messageIn,
  type Reading,
  readingOf,
  reasoningAgrees,
} from './reading.ts'
import { type ReplayedCapture, replayCapture, type Thought } from './replayCapture.ts'

/** The ways in which each capture is sent. */
export const splits: readonly Split[] = ['whole', '1', 'random:11']

/** Expects what was recorded, however its bytes are split. */
export async function expectTheSame(capture: Capture, url: string): Promise<void> {
  const [whole, ...others] = await Promise.all(splits.map((split) => replayCapture(capture, url, { split })))

  if (!whole) throw new Error('Nothing was replayed.')
  expectAsRecorded(whole, capture)
  for (const other of others) expect(timeless(other.thought)).toEqual(timeless(whole.thought))
  for (const other of others) expect(other.signal.type).toBe(whole.signal.type)
}

function expectAsRecorded({ thought, signal, run }: ReplayedCapture, capture: Capture): void {
  const { providerTools, ...reading } = readingOf(thought, capture.expect)
  expect(reading).toEqual(expectedReading(capture))
  expect(reasoningAgrees(thought, capture.expect)).toBe(true)
  expectProviderTools(providerTools, capture)
  if (capture.expect.error) expectFailed(signal, capture.expect.error)
  else if (capture.expect.finish === null) expectIncomplete(signal)
  else expectEnded({ thought, signal, run }, capture)
}

function expectEnded({ thought, signal, run }: ReplayedCapture, capture: Capture): void {
  expect(finishAgrees(thought, capture)).toBe(true)
  expect(signal.type).toBe(expectedSignal(thought, capture))
  expect(run.state.toolCalls).toBe(capture.expect.tool_calls.length)
}

/** A recording may end before its stream did. */
function expectIncomplete(signal: Signal): void {
  expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_incomplete', retryable: true } })
}

function expectProviderTools({ calls, results }: Reading['providerTools'], { expect: expected }: Capture): void {
  const recorded = expectedProviderTools(expected)
  expect(calls).toBeGreaterThanOrEqual(recorded.calls)
  expect(results).toBeGreaterThanOrEqual(recorded.results)
}

function expectFailed(signal: Signal, error: unknown): void {
  expect(signal).toMatchObject({ type: 'failed', error: { message: expect.stringContaining(messageIn(error)) } })
}

/** The calls that are ours to run: those of the recording, and items of the provider's own that an app runs. */
const callsOf = ({ parts }: Thought) => parts.filter((part) => part.type === 'tool-call' && !part.providerExecuted)

function expectedSignal(thought: Thought, { expect: { provider_tools } }: Capture): string {
  const { finish, parts } = thought
  // The user decides about a call of the provider.
  if (provider_tools.includes('mcp_approval_request')) return 'inputNeeded'
  // The run continues, up to the limit of these runs.
  if (callsOf(thought).length > 0 || finish?.raw === 'pause_turn') return 'limitReached'
  if (finish?.unified === 'error' && parts.length === 0) return 'failed'
  return finish?.unified === 'content-filter' ? 'failed' : 'answer'
}

/**
 * A thought without what differs each time: its duration, and ids that the AI SDK makes up. Where a stream begins with its
 * failure, the AI SDK refuses the request with a status if the whole failure comes in the first piece.
 */
function timeless({ parts, seq, at, ms, responseId, error, ...rest }: Thought): unknown {
  const madeUp = parts.map((part) => ({
    ...part,
    ...('id' in part && { id: '' }),
    ...('toolCallId' in part && { toolCallId: '' }),
  }))
  return { ...rest, parts: madeUp, ...(error ? { error: { ...error, status: undefined } } : { responseId }) }
}
