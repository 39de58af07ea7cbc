import type { Event } from '@interleave/core'
import { initialState } from '@interleave/core/internal'
import { collect } from '@interleave/test-kit/collect'
import { expect, it } from 'vitest'
import { EventFrames } from './eventFrames.ts'
import { runNames } from './runNames.ts'
import type { RunView } from './runSource.ts'

const event = (seq: number, at: number): Event => ({ seq, at, iteration: 0, type: 'resumed' })
const view = (...at: readonly number[]): RunView => ({
  events: at.map((each, seq) => event(seq, each)),
  state: initialState,
  fault: undefined,
})

/** Returns the frames for a reader who sees these views of a run, one after the other. */
async function told(from: number, ...views: readonly RunView[]): Promise<readonly string[]> {
  return (await framesOf(from, views, () => 0)).map(short)
}
async function framesOf(from: number, views: readonly RunView[], now: () => number): Promise<readonly string[]> {
  const left = [...views]
  const frames = new EventFrames(
    { from, at: undefined, follows: true, waits: true, calls: [] },
    {
      source: { readView: async () => left.shift(), takeLive: () => [], pollMs: 1 },
      host: { now },
      names: runNames('ada'),
      heartbeatMs: 1_000,
      sign: async () => 'token',
      wait: async () => {},
    },
  )
  return (await collect(frames.generate())).join('').split('\n\n').slice(1, -1)
}
const short = (frame: string): string => {
  const data = JSON.parse(frame.split('data: ')[1] ?? 'null')
  return frame.startsWith('id') ? `${data.seq}@${data.at}` : frame.includes('rewound') ? 'rewound' : 'gone'
}

it('sends each event once, and reports that a run is gone', async () => {
  expect(await told(0, view(1), view(1), view(1, 2), view(1, 2, 3))).toEqual(['0@1', '1@2', '2@3', 'gone'])
})

it('starts again if the log differs from what was sent', async () => {
  const other = [view(1, 2, 3), view(1, 2, 3), view(1, 9), view(1, 9), view(1, 9)]
  const longer = [view(1, 2), view(1, 2), view(1, 9, 10), view(1, 9, 10)]

  expect(await told(0, ...other)).toEqual(['0@1', '1@2', '2@3', 'rewound', '0@1', '1@9', 'gone'])
  expect(await told(0, ...longer)).toEqual(['0@1', '1@2', 'rewound', '0@1', '1@9', '2@10', 'gone'])
})

it('sends heartbeats also after the clock was set back', async () => {
  const times = [3_600_000, 3_600_000, 0, 0, 0, 500, 1_000]
  const frames = await framesOf(1, Array(5).fill(view(1)), () => times.shift() ?? 1_000)

  expect(frames.filter((frame) => frame.startsWith(':'))).toHaveLength(2)
})

it('sends a reader that has all events, and does not wait, its calls and what is wrong', async () => {
  const signal = { type: 'failed', error: { code: 'journal_failed', message: 'Full.' } } as const
  const fault = { ...event(1, 2), type: 'settled', signal } as RunView['fault']
  const ended = { type: 'abort', call: 'c', error: { code: 'stopped', message: 'Enough.', retryable: false } } as const
  const known = { ...view(1), fault }
  const frames = new EventFrames(
    { from: 1, at: 1, follows: true, waits: false, calls: [{ name: 'call', data: ended }] },
    {
      source: { readView: async () => known, takeLive: () => [], pollMs: 1 },
      host: { now: () => 0 },
      names: runNames('ada'),
      heartbeatMs: 1_000,
      sign: async () => 'token',
      wait: () => Promise.reject(new Error('It does not wait.')),
    },
  )

  const told = (await collect(frames.generate())).join('')

  expect(told.match(/event: \w+/g)).toEqual(['event: hello', 'event: call', 'event: fault'])
})
