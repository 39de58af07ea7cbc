import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold, reduce } from './changes/all.ts'
import type { Event, EventBody } from './event.ts'
import { initialState, type RunState } from './state.ts'
import { noUsage } from './usage.ts'

const at = (events: readonly EventBody[]): Event[] =>
  events.map((event, seq) => ({ seq, at: 1_000 + seq * 10, iteration: 0, ...event }) as Event)
const said = (content: string): EventBody => ({ type: 'said', by: 'user', content })
const thought = (readUntil: number, ...calls: string[]): EventBody => ({
  type: 'thought',
  model: { provider: 'p', modelId: 'm' },
  parts: calls.map((toolName, n) => ({ type: 'tool-call', toolCallId: `c${n}`, toolName, input: {} })),
  usage: { ...noUsage, inputTokens: 1 },
  ms: 5,
  readUntil,
})
const started: EventBody = { type: 'started', runId: 'r', agent: 'a', version: '1' }
const answer = { type: 'answer', output: 'x', reason: 'text' } as const
const observed = (call: string): EventBody => ({ type: 'observed', call, ms: 1, result: { type: 'text', value: call } })

function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

it('has what is needed to know a run by its first event', () => {
  expect(fold(at([started]))).toMatchObject({ runId: 'r', agent: 'a', version: '1', startedAt: 1_000, seq: 1 })
})

it('keeps a message pending until a turn has received it', () => {
  const state = fold(at([started, said('1'), said('2'), thought(2)]))

  expect(state.history.flat().map(({ type }) => type)).toEqual(['said', 'turn'])
  expect(state.pending).toMatchObject([{ content: '2' }])
})

it('makes a call of each tool call but those of the provider', () => {
  const event = thought(2, 'a', 'b')
  const parts = 'parts' in event ? [...event.parts, { ...event.parts[0], providerExecuted: true }] : []

  const state = fold(at([started, said('1'), { ...event, parts } as EventBody]))

  expect(state.history.flat().at(-1)).toMatchObject({ calls: [{ key: '0/tool/0' }, { key: '0/tool/1' }] })
})

it('puts what was observed to its call, also where the provider repeats ids', () => {
  const state = fold(
    at([started, said('1'), thought(2, 'a', 'a'), { type: 'claimed', call: '0/tool/1' }, observed('0/tool/1')]),
  )

  expect(state.history.flat().at(-1)).toMatchObject({
    calls: [
      { key: '0/tool/0' },
      { key: '0/tool/1', claimedAt: 1_030, observedAt: 1_040, result: { value: '0/tool/1' } },
    ],
  })
  expect(state.toolCalls).toBe(1)
})

it('omits of the work the time in which it settled', () => {
  const events: EventBody[] = [
    started,
    said('1'),
    { type: 'settled', signal: { type: 'stopped', reason: 'x' } },
    { type: 'resumed' },
  ]

  const state = fold(at(events))

  expect(state.signal).toBeUndefined()
  expect(state.request.settledMs).toBe(10)
})

it('counts what was worked before the clock was set back, and no rest', () => {
  const ats = [1_000, 1_010, 1_110, 210, 310, 360]
  const settled: EventBody = { type: 'settled', signal: { type: 'stopped', reason: 'x' } }
  const events = at([started, said('1'), thought(2), settled, { type: 'resumed' }, thought(2)])
  const state = fold(events.map((event, seq) => ({ ...event, at: ats[seq] ?? 0 })))

  // 100 ms until the first thought, none until the stop, 100 of rest, 50 until the second.
  const { startedAt, settledMs } = state.request
  expect([state.updatedAt - startedAt - settledMs, settledMs]).toEqual([150, 100])
})

it('counts no rest in which the clock was set back', () => {
  const ats = [1_000, 1_010, 1_110, 1_110, 200]
  const settled: EventBody = { type: 'settled', signal: { type: 'stopped', reason: 'x' } }
  const events = at([started, said('1'), thought(2), settled, { type: 'resumed' }])
  const state = fold(events.map((event, seq) => ({ ...event, at: ats[seq] ?? 0 })))

  const { startedAt, settledMs } = state.request
  expect([state.updatedAt - startedAt - settledMs, settledMs]).toEqual([100, 0])
})

it('counts messages before the first turn to the first request', () => {
  const state = fold(at([started, said('1'), said('2')]))

  expect(state.request).toMatchObject({ seq: 1, startedAt: 1_010 })
  expect(state.pending).toHaveLength(2)
})

it('begins a new request with a message after a rest, and keeps the totals', () => {
  const state = fold(at([started, said('1'), thought(2), { type: 'settled', signal: answer }, said('2')]))

  expect(state).toMatchObject({
    signal: undefined,
    request: { seq: 4, iteration: 0, startedAt: 1_040, usage: { inputTokens: 1 } },
  })
  expect(state.usage.inputTokens).toBe(1)
})

it('gives the model a summary instead of what was compacted, and keeps the whole history', () => {
  const summary = [{ role: 'user', content: [{ type: 'text', text: 'summary' }] }] as const
  const long = Array.from({ length: 100 }, (_, n) => [said(String(n)), thought(1_000)]).flat()

  const state = fold(
    at([
      started,
      ...long,
      {
        type: 'compacted',
        messages: [...summary].map((message) => ({ ...message, content: [...message.content] })),
        keep: 70,
      },
    ]),
  )

  expect(state.history.flat()).toHaveLength(200)
  expect(state.compacted).toEqual({ messages: summary, from: 130, iteration: 0 })
  expect(state.compactions).toBe(1)
})

it('adds what notes took to the usage', () => {
  const usage = { ...noUsage, inputTokens: 7, cost: 1 }

  const state = fold(
    at([
      started,
      { type: 'noted', key: 'judgement', value: 'good', usage },
      { type: 'noted', key: 'summary', value: 'short', usage },
    ]),
  )

  expect(state.usage).toEqual({ ...noUsage, inputTokens: 14, cost: 2 })
})

it('amends messages that no one has received, and calls of the latest turn', () => {
  const result = { type: 'text', value: 'hidden' } as const

  const state = fold(
    at([
      started,
      said('my secret'),
      { type: 'amended', target: 1, content: 'my ***', reason: 'secrets' },
      thought(3, 'look'),
      { type: 'amended', target: '0/tool/0', input: { at: 'y' }, reason: 'elsewhere' },
      { type: 'observed', call: '0/tool/0', ms: 1, result: { type: 'text', value: 'seen' }, output: 'seen' },
      { type: 'amended', target: '0/tool/0', result, reason: 'secrets' },
      { type: 'amended', target: '9/tool/0', result, reason: 'of nothing' },
    ]),
  )

  expect(state.history.flat()).toMatchObject([{ content: 'my ***' }, { calls: [{ input: { at: 'y' }, result }] }])
  expect(state.history.flat()[1]).not.toHaveProperty('calls.0.output')
})

it('keeps notes whatever their keys are', () => {
  const state = fold(
    at([started, { type: 'noted', key: '__proto__', value: 1 }, { type: 'noted', key: 'constructor', value: 2 }]),
  )

  expect(Object.entries(state.notes)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
  ])
})

it('takes an event about what is not there for nothing', () => {
  const before = fold(at([started, said('1'), thought(2, 'a')]))

  for (const event of [
    observed('9/tool/9'),
    { type: 'replied', ask: 'x', value: 1 } as const,
    { type: 'noted', call: 'x', key: 'k', value: 1 } as const,
  ]) {
    const after = reduce(before, { seq: 3, at: 1_030, iteration: 0, ...event })
    expect({ ...after, updatedAt: 0, seq: 0, signal: undefined }).toEqual({
      ...before,
      updatedAt: 0,
      seq: 0,
      signal: undefined,
    })
  }
})

const call = fc.constantFrom('0/tool/0', '0/tool/1', '1/tool/0')
const anyEvent: fc.Arbitrary<EventBody> = fc.oneof(
  fc.string().map(said),
  fc.nat(20).map((readUntil) => thought(readUntil, 'a', 'b')),
  call.map((key): EventBody => ({ type: 'claimed', call: key })),
  call.map(observed),
  call.map(
    (key): EventBody => ({
      type: 'asked',
      ask: { id: `${key}/ask/0`, call: key, kind: 'confirm', prompt: '?', yes: 'y', no: 'n' },
    }),
  ),
  call.map((key): EventBody => ({ type: 'replied', ask: `${key}/ask/0`, value: true })),
  call.map((key): EventBody => ({ type: 'noted', call: key, key: 'k', value: [1] })),
  fc.constant<EventBody>({ type: 'settled', signal: answer }),
  fc.constant<EventBody>({ type: 'resumed' }),
  fc.nat(3).map((keep): EventBody => ({ type: 'compacted', messages: [], keep })),
  fc.nat(9).map((of): EventBody => ({ type: 'amended', target: of, content: 'x', reason: 'y' })),
  call.map((of): EventBody => ({ type: 'amended', target: of, input: 'x', reason: 'y' })),
)

it('gives for any log a new state, changes none, and continues from JSON', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(40), (bodies, cut) => {
      const events = at([started, ...bodies])
      let state: RunState = deepFreeze(initialState)
      for (const event of events) state = deepFreeze(reduce(state, deepFreeze(event)))

      const saved: RunState = JSON.parse(JSON.stringify(fold(events.slice(0, cut))))
      const resumed = events.slice(cut).reduce(reduce, saved)

      // The order of fields is not kept by what leaves some out.
      expect(JSON.parse(JSON.stringify(resumed))).toEqual(JSON.parse(JSON.stringify(state)))
      expect(state.seq).toBe(events.length)
    }),
  )
})

it('folds a log with many notes in linear time, and changes no state that it was given', () => {
  const stamp = { at: 0, iteration: 0 }
  const started: Event = { ...stamp, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }
  const notes = (count: number, from: number): Event[] =>
    Array.from({ length: count }, (_, n) => ({ ...stamp, seq: from + n, type: 'noted', key: `k${from + n}`, value: n }))
  const log = [started, ...notes(100_000, 1)]
  const before = process.cpuUsage()

  const state = fold(log)

  const { user } = process.cpuUsage(before)
  // Time of this process, whatever else the machine does: in linear time it takes a fraction of a second, in quadratic time minutes.
  expect(user).toBeLessThan(10_000_000)
  expect(Object.keys(state.notes)).toHaveLength(100_000)
  const more = fold(notes(2, log.length), state)
  expect(Object.keys(state.notes)).toHaveLength(100_000)
  expect(Object.keys(more.notes)).toHaveLength(100_002)
  expect(fold([started]).notes).toEqual({})
})

it('folds a note whose key is that of a prototype', () => {
  const stamp = { at: 0, iteration: 0, type: 'noted', value: { a: 1 } } as const
  const state = fold([
    { ...stamp, seq: 0, key: 'x' },
    { ...stamp, seq: 1, key: '__proto__' },
  ])

  expect(Object.keys(state.notes)).toEqual(['x', '__proto__'])
})

it.each<[string, EventBody]>([
  ['approved again', { type: 'replied', ask: '0/tool/0/approval', value: { approved: true } }],
  ['relieved of another question', { type: 'withdrawn', ask: '0/tool/0/approval' }],
])('keeps in mind that a call only waits, although it is %s', (_, event) => {
  const of = { call: '0/tool/0', prompt: '?' }
  const asked: EventBody[] = [
    { type: 'asked', ask: { ...of, id: '0/tool/0/ask/0', kind: 'confirm', yes: 'y', no: 'n' } },
    { type: 'asked', ask: { ...of, id: '0/tool/0/approval', kind: 'approval', tool: 'a', input: {}, schema: {} } },
  ]
  const state = fold(at([started, said('1'), thought(2, 'a'), { type: 'claimed', call: '0/tool/0' }, ...asked, event]))

  expect(state.history.flat().at(-1)).toMatchObject({ calls: [{ status: 'waiting' }] })
})
