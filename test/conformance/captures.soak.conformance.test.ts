import type { Signal } from '@interleave/core'
import { afterAll, expect, it } from 'vitest'
import { type Capture, manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
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
import { startReplayServer } from './replayServer.ts'
import { tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const tallyRow = tallying({ file: manifestFile, of: manifest.captures.length })
const splits: Split[] = ['whole', '1', 'random:11']
afterAll(() => server.close())
needsData(manifestFile)

it.concurrent.for(manifest.captures)('reads $id the same however it is split', async (capture, { task }) => {
  tallyRow(task, 'captures', { row: capture.id, parts: splits.length })

  const [whole, ...others] = await Promise.all(splits.map((split) => replayCapture(capture, server.url, { split })))

  if (!whole) throw new Error('Nothing was replayed.')
  expectAsRecorded(whole, capture)
  for (const other of others) expect(timeless(other.thought)).toEqual(timeless(whole.thought))
  for (const other of others) expect(other.signal.type).toBe(whole.signal.type)
})

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
  expect(signal.type).toBe(expectedRest(thought, capture))
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

function expectedRest({ finish, parts }: Thought, { expect: { tool_calls } }: Capture): string {
  if (tool_calls.length > 0) return 'limitReached'
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
