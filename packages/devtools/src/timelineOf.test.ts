import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { goldenLog, goldenLogs } from '../../../test/golden/goldenLogs.ts'
import { LogRecorder, logOf } from './runLog.ts'
import { timelineOf } from './timelineOf.ts'
import { waitRows } from './timelineRows.ts'
import { scaleOf, ticksOf, visible } from './timeScale.ts'

/** Generates any recorded log, cut anywhere, with its times pulled apart or put out of order. */
const anyLog = fc
  .record({
    log: fc.constantFrom(...goldenLogs.map(([, events]) => events)),
    cut: fc.nat(),
    leaps: fc.array(fc.integer({ min: -5_000, max: 500_000 }), { minLength: 1, maxLength: 20 }),
  })
  .map(({ log, cut, leaps }) => {
    let at = 1_700_000_000_000
    return log.slice(0, 1 + (cut % log.length)).map((event, index) => {
      at += leaps[index % leaps.length] ?? 0
      return { ...event, at }
    })
  })

it.each(goldenLogs)('shows every turn and every call of "%s" as one bar', (_, events) => {
  const { rows } = timelineOf(logOf(events))
  const state = fold(events)
  const calls = state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))

  const ids = rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('call '))).toHaveLength(calls.length)
  expect(ids.filter((id) => id.startsWith('turn '))).toHaveLength(state.iteration)
  expect(rows.filter(({ kind }) => kind === 'wait').length).toBe(events.filter(({ type }) => type === 'asked').length)
  expect(rows.filter(({ end }) => end === undefined)).toEqual([])
})

it('has nothing that ends before it begins, and everything in order, whatever the clocks say', () => {
  fc.assert(
    fc.property(anyLog, (events) => {
      const { rows, start, end } = timelineOf(logOf(events))
      for (const row of rows) {
        expect(row.end ?? row.start).toBeGreaterThanOrEqual(row.start)
        expect(row.start).toBeGreaterThanOrEqual(start)
        expect(row.end ?? row.start).toBeLessThanOrEqual(end)
      }
      const starts = rows.map((row) => row.start)
      expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    }),
  )
})

/** Milliseconds: two dates of now that are not the same are a quarter of it apart. */
const exactly = 1e-3

it('never goes back on its scale, and shows no time longer than it was', () => {
  fc.assert(
    fc.property(anyLog, fc.array(fc.nat({ max: 1_000 }), { minLength: 2, maxLength: 20 }), (events, parts) => {
      const timeline = timelineOf(logOf(events))
      const scale = scaleOf(timeline)
      const whole = timeline.end - timeline.start
      const moments = parts.map((part) => timeline.start + (part / 1_000) * whole).toSorted((a, b) => a - b)
      for (const [index, at] of moments.entries()) {
        const before = moments[index - 1] ?? timeline.start
        expect(scale.positionOf(at)).toBeGreaterThanOrEqual(scale.positionOf(before) - exactly)
        expect(scale.positionOf(at) - scale.positionOf(before)).toBeLessThanOrEqual(at - before + exactly)
        expect(scale.positionOf(at)).toBeLessThanOrEqual(scale.span + exactly)
      }
      // Where there was work, it is shown as long as it took.
      for (const [index, { gap }] of scale.gaps.entries()) {
        const worked = scale.gaps[index - 1]?.gap.end ?? timeline.start
        expect(scale.positionOf(gap.start) - scale.positionOf(worked)).toBeCloseTo(gap.start - worked, 3)
      }
      const ticks = ticksOf(timeline, scale, 6).map(({ at }) => at)
      expect(ticks).toEqual([...new Set(ticks)].toSorted((a, b) => a - b))
      expect(ticks.length).toBeLessThan(20)
    }),
  )
})

const started = {
  type: 'started',
  runId: 'run',
  agent: 'guide',
  version: '1',
  seq: 0,
  at: 1_000,
  iteration: 0,
} as const

it('shows a long rest shorter than it was', () => {
  const asks = [{ kind: 'text', prompt: 'Where to?', minLength: 0, maxLength: 9, id: 'a' }] as const
  const events: readonly Event[] = [
    started,
    { type: 'asked', ask: asks[0], seq: 1, at: 3_000, iteration: 0 },
    { type: 'settled', signal: { type: 'inputNeeded', asks }, seq: 2, at: 3_000, iteration: 0 },
    { type: 'replied', ask: 'a', value: 'Rome', seq: 3, at: 603_000, iteration: 0 },
    { type: 'settled', signal: { type: 'stopped', reason: 'Enough.' }, seq: 4, at: 605_000, iteration: 0 },
  ]

  const timeline = timelineOf(logOf(events))
  const { gaps, span } = scaleOf(timeline)

  expect(gaps).toMatchObject([{ gap: { isWait: true }, from: 2_000, to: 2_320 }])
  expect(span).toBe(4_320)
  expect(ticksOf(timeline, scaleOf(timeline), 4).map(({ label }) => label)).toEqual(['0 s', '10:02'])
})

it('leaves most of the room to the work of a long conversation, and hides no bar behind its gaps', () => {
  const gaps = Array.from({ length: 200 }, (_, n) => ({
    start: n * 61_000 + 1_000,
    end: n * 61_000 + 61_000,
    isWait: false,
  }))
  const scale = scaleOf({ start: 0, end: 200 * 61_000 + 1_000, gaps })

  expect(scale.span).toBeLessThan(1.6 * 201_000)
  expect(visible(scale, 1).gaps).toHaveLength(0)
  expect(visible(scale, 8).gaps).toHaveLength(200)
})

it('ends a question when it is answered, withdrawn, needed no more, or the run is stopped', () => {
  const stamp = (seq: number) => ({ seq, at: 1_000 * seq, iteration: 1 })
  const ask = (id: string) =>
    ({ kind: 'text', prompt: id, minLength: 0, maxLength: 9, id, call: `1/tool/${id}` }) as const
  const events: readonly Event[] = [
    started,
    ...['a', 'b', 'c', 'd'].map((id, index) => ({ type: 'asked', ask: ask(id), ...stamp(index + 1) }) as const),
    { type: 'replied', ask: 'a', value: { approved: false }, ...stamp(5) },
    { type: 'withdrawn', ask: 'b', ...stamp(6) },
    { type: 'observed', call: '1/tool/c', result: { type: 'text', value: '' }, ms: 0, ...stamp(7) },
    { type: 'settled', signal: { type: 'stopped', reason: 'Enough.' }, ...stamp(8) },
  ]

  const rows = waitRows(events).map(({ title, state, end }) => [title, state, end])

  expect(rows).toEqual([
    ['a', 'denied', 5_000],
    ['b', 'stopped', 6_000],
    ['c', 'stopped', 7_000],
    ['d', 'stopped', 8_000],
  ])
  expect(waitRows(events.slice(0, 2))).toMatchObject([{ state: 'waiting', end: undefined }])
})

it('records the first token and the retries of a streaming turn', () => {
  const recorder = new LogRecorder()
  const error = { code: 'model_failed', message: 'Busy.', retryable: true } as const
  const model = { provider: 'some', modelId: 'model' }
  const noted = { type: 'noted', key: 'retries/1/model', value: {}, iteration: 0 } as const
  recorder.record(started, 0)
  recorder.record({ type: 'thinking', iteration: 1 }, 2_000)
  recorder.record({ ...noted, seq: 1, at: 2_500 }, 0)
  recorder.record({ ...noted, seq: 2, at: 2_999 }, 0)
  recorder.record({ type: 'retrying', attempt: 2, inMs: 500, error, model }, 3_000)

  const first = recorder.record({ type: 'delta', kind: 'text', delta: 'H' }, 4_000)
  const second = recorder.record({ type: 'delta', kind: 'text', delta: 'i' }, 4_100)
  const { rows, isWorking } = timelineOf(recorder.snapshot())

  expect([first, second, isWorking]).toEqual([true, false, true])
  expect(rows).toMatchObject([
    { kind: 'retry', start: 2_500, end: 2_500, title: 'Try 1 failed' },
    { kind: 'retry', start: 2_999, end: 3_500, title: 'Try 2 failed: Busy.' },
    { kind: 'turn', start: 3_500, end: undefined, firstTokenAt: 4_000, state: 'working', seq: 3 },
  ])
})

it('removes events that were rewound', () => {
  const recorder = new LogRecorder()
  recorder.record(started, 0)
  recorder.record({ type: 'said', by: 'user', content: 'Hi', seq: 1, at: 1_500, iteration: 0 }, 0)
  recorder.record({ type: 'thinking', iteration: 1 }, 2_000)

  recorder.record({ type: 'rewound', to: 1 }, 2_500)

  expect(recorder.snapshot()).toMatchObject({ events: [started], turns: new Map() })
})

it('returns the same events and turns if only a tool has reported progress', () => {
  const recorder = new LogRecorder()
  for (const event of goldenLog('stop-on-text')) recorder.record(event, 0)
  const before = recorder.snapshot()

  recorder.record({ type: 'progressed', call: '1/tool/0', output: 'Half' }, 1)
  const after = recorder.snapshot()

  expect(after.events).toBe(before.events)
  expect(after.turns).toBe(before.turns)
  expect([...after.progress]).toEqual([['1/tool/0', 'Half']])
})
