import { agent, choice, type Event, tool } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { landmarks, marked, placeWords } from './landmarks.ts'
import { waitFor } from './usePlayback.ts'
import { stepTo } from './useTravelKeys.ts'

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})

async function picked(): Promise<readonly Event[]> {
  const model = scriptedModel({ text: 'Let me ask.', calls: [{ name: 'pick', input: {} }] }, 'It is a.')
  const run = agent({ name: 'picker', model, tools: { pick } }).start('Pick one')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled
  return (await exportRun(run)).events
}
const at = (seq: number, ms: number) => ({ type: 'resumed', seq, at: ms, iteration: 0 }) as const

it('marks messages, turns, calls, questions and signals of a log', async () => {
  expect(landmarks(await picked()).map(({ kind }) => kind)).toEqual([
    'message',
    'turn',
    'call',
    'ask',
    'settled',
    'turn',
    'settled',
  ])
})

it('steps event by event and turn by turn, and not beyond the ends', async () => {
  const events = await picked()
  const last = events.length - 1
  const turns = events.flatMap(({ type, seq }) => (type === 'thought' ? [seq] : []))

  expect(stepTo(events, 3, { by: 'event', way: 1 })).toBe(4)
  expect([stepTo(events, 0, { by: 'event', way: -1 }), stepTo(events, last, { by: 'event', way: 1 })]).toEqual([
    0,
    last,
  ])
  expect(turns).toHaveLength(2)
  expect(stepTo(events, 0, { by: 'turn', way: 1 })).toBe(turns[0])
  expect(stepTo(events, turns[0] ?? 0, { by: 'turn', way: 1 })).toBe(turns[1])
  expect(stepTo(events, last, { by: 'turn', way: -1 })).toBe(turns[1])
  expect(stepTo(events, turns[0] ?? 0, { by: 'turn', way: -1 })).toBe(0)
  expect(stepTo(events, turns[1] ?? 0, { by: 'turn', way: 1 })).toBe(last)
})

it('replays at the recorded pace, but neither in no time nor for ever', () => {
  const events = [at(0, 0), at(1, 800), at(2, 801), at(3, 90_000_000)]

  expect(events.map(({ seq }) => waitFor(events, seq, 1))).toEqual([800, 40, 3_000, undefined])
  expect(waitFor(events, 0, 4)).toBe(200)
  expect(waitFor(events, 2, 16)).toBe(187.5)
})

it('says where a place of a log is', () => {
  expect(placeWords([at(0, 0), at(1, 1_500)], 1)).toBe('Event 1 of 1: resumed, after 1.5 s')
  expect(placeWords([{ ...at(0, 5), iteration: 2 }], 0)).toBe('Event 0 of 0: resumed, turn 2, after 0 ms')
  expect(placeWords([], 0)).toBe('')
})

it('marks so few turns of a long log that they can be distinguished', () => {
  const long = Array.from({ length: 900 }, (_, seq) => ({
    ...at(seq, seq),
    type: (['thought', 'claimed', 'observed'] as const)[seq % 3],
  })) as unknown as readonly Event[]

  expect(marked(long).stride).toBe(5)
  expect(marked(long).landmarks.map(({ kind }) => kind)).toEqual(Array(60).fill('turn'))
  expect(marked(long).landmarks[0]?.seq).toBe(12)
  expect(marked(long.slice(0, 90)).stride).toBe(1)
  expect(marked(long.slice(0, 90)).landmarks).toEqual(landmarks(long.slice(0, 90)))
})
