import { afterAll, expect, it } from 'vitest'
import { bodyOf, type Capture, manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { expectedReading, type Reading, readingOf, textOf } from './reading.ts'
import { modelOf, type ReplayedCapture, replayCapture } from './replayCapture.ts'
import { type Sending, startReplayServer } from './replayServer.ts'
import { streamedText } from './streamedText.ts'
import { judge, tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const tallyRow = tallying({ file: manifestFile, of: manifest.captures.length })
afterAll(() => server.close())
needsData(manifestFile)

it.concurrent.for(manifest.captures)('keeps what came of $id before it was cut', async (capture, { task }) => {
  const cuts = cutsOf(capture)
  tallyRow(task, 'cuts', { row: capture.id, parts: cuts.length })

  await judge(task, capture.agreed !== false, () => expectKept(capture, cuts))
})

async function expectKept(capture: Capture, cuts: readonly Sending[]): Promise<void> {
  const replayed = await Promise.all(cuts.map((cut) => replayCapture(capture, server.url, cut)))

  for (const [index, replay] of replayed.entries()) expectCut(replay, capture, cuts[index] ?? {})
  const kept = replayed.filter((_, index) => cuts[index]?.ending === 'clean').map(({ thought }) => textOf(thought))
  const clean = cuts.filter(({ ending }) => ending === 'clean')
  expect(kept).toEqual(await Promise.all(clean.map((cut) => streamedText(modelOf(capture, server.url, cut)))))
}

/**
 * Returns cuts in the middle and near both ends, by a connection that breaks and by one that ends early without an
 * error.
 */
function cutsOf(capture: Capture): Sending[] {
  const { length } = bodyOf(capture)
  const places = [0.1, 0.5, 0.8, 0.97].map((part) => Math.floor(length * part))
  return places.flatMap((cut) => [
    { cut, ending: 'broken' as const },
    { cut, ending: 'clean' as const },
  ])
}

/** Either the turn failed in a way that may pass and kept what had come, or all of it had come before the cut. */
function expectCut({ signal, thought, run }: ReplayedCapture, capture: Capture, sending: Sending): void {
  const { providerTools: _, ...reading } = readingOf(thought, capture.expect)
  const whole = expectedReading(capture)
  expect(whole.text.startsWith(reading.text)).toBe(true)
  if (signal.type !== 'failed') expectEnded(reading, capture, sending)
  else if (thought.error) expect(run.state.toolCalls).toBe(0)
  if (signal.type === 'failed' && !capture.expect.error && !isExplained(thought)) {
    expect(thought.error).toMatchObject({ code: 'model_incomplete', retryable: true })
  }
}

/** Returns true if the provider's own reason to stop, such as a filter, had arrived before the cut. */
const isExplained = ({ finish }: ReplayedCapture['thought']): boolean => finish?.raw !== undefined

/**
 * Expects a stream without an error to be complete, or to be the first of several responses that were recorded as one
 * stream.
 */
function expectEnded(reading: Partial<Reading>, capture: Capture, { cut }: Sending): void {
  const sent = bodyOf(capture).subarray(0, cut).toString('utf8')
  const several = sent.includes('"response.completed"')
  const { text, calls = [] } = expectedReading(capture)
  if (several) expect(calls.slice(0, reading.calls?.length)).toEqual(reading.calls)
  else expect({ text: reading.text, calls: reading.calls }).toEqual({ text, calls })
}
