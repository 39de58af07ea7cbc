import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reduce } from './changes/all.ts'
import type { Event, EventBody } from './event.ts'
import type { Json } from './json.ts'
import { addMember, copyOf, type Holder, hasMember, latestKeys, memberOf } from './record.ts'
import { type Call, initialState, lastOf, type RunState, replaceLast } from './state.ts'
import { noUsage } from './usage.ts'

/** Returns a holder with one more note, as an event makes it. */
function withNote(holder: Holder, key: string, value: Json): Holder {
  const next = copyOf(holder)
  addMember(next, 'notes', [key, value])
  return next
}

const withNotes = (holder: Holder, count: number): Holder => {
  let next = holder
  for (let i = 0; i < count; i++) next = withNote(next, `key ${i}`, i)
  return next
}

const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '7', ''),
  fc.nat(200).map((n) => `key ${n}`),
)
const change = fc.record({ key, value: fc.nat(), from: fc.nat(), spread: fc.boolean() })

it('is the record that a copy for each member would make, in all versions', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300, size: 'max' }), (changes) => {
      const versions: [Holder, Record<string, Json>][] = [[{ notes: {} }, {}]]
      for (const { key: name, value, from, spread } of changes) {
        // Most changes are to the newest version.
        const [holder, model] = versions.at(from % 20 === 0 ? from % versions.length : -1) ?? [{}, {}]
        versions.push([withNote(spread ? { ...holder } : holder, name, value), { ...model, [name]: value }])
      }
      for (const [holder, model] of versions.filter((_, at) => at % 25 === 0 || at > versions.length - 3)) {
        const keys = Object.keys(model)
        for (const each of keys) expect(memberOf(holder, 'notes', each)).toBe(model[each])
        expect(keys.every((each) => hasMember(holder, 'notes', each))).toBe(true)
        expect(hasMember(holder, 'notes', 'none') || hasMember(holder, 'notes', 'toString')).toBe(false)
        expect([...latestKeys(holder, 'notes')].toSorted()).toEqual(keys.toSorted())
        expect(JSON.stringify(holder)).toBe(JSON.stringify({ notes: model }))
        expect(structuredClone(holder)).toEqual({ notes: model })
      }
    }),
    { numRuns: 30 },
  )
})

it('makes the object of a long record once, when it is read', () => {
  const holder = withNotes({ notes: {} }, 100)
  const copy = copyOf(holder)

  expect(Object.getOwnPropertyDescriptor(copy, 'notes')?.get).toBeDefined()
  expect(copy.notes).toBe(holder.notes)
  expect(Object.keys(copy.notes ?? {})).toHaveLength(100)
})

it('yields the keys of a long record newest first, wherever they were replaced', () => {
  const holder = withNote(withNotes({ notes: {} }, 100), 'key 3', 'again')

  expect([...latestKeys(holder, 'notes')].slice(0, 2)).toEqual(['key 99', 'key 98'])
  expect(memberOf(holder, 'notes', 'key 3')).toBe('again')
})

it('can be replaced as a whole, in one holder and not in others', () => {
  const before = withNotes({ notes: {}, questions: undefined }, 100)
  const next = copyOf(before)
  next.notes = { one: 1 }

  expect(next).toEqual({ notes: { one: 1 }, questions: undefined })
  expect(memberOf(next, 'notes', 'key 1')).toBeUndefined()
  expect(withNote(next, 'two', 2).notes).toEqual({ one: 1, two: 2 })
  expect(memberOf(before, 'notes', 'key 1')).toBe(1)
})

/** Counts the members of records that are read, unless their objects have not been made. */
function counter() {
  let reads = 0
  const counting = <T extends object>(record: T): T =>
    new Proxy(record, {
      get(of, name) {
        reads++
        return Reflect.get(of, name)
      },
    })
  const counted = <H extends Holder>(holder: H): H => {
    const next = copyOf(holder)
    for (const name of ['notes', 'questions'] as const) {
      const { value } = Object.getOwnPropertyDescriptor(next, name) ?? {}
      if (value) Object.assign(next, { [name]: counting(value) })
    }
    return next as H
  }
  return { counted, reads: () => reads }
}

const event = (body: EventBody, seq: number): Event => ({ seq, at: 0, iteration: 1, ...body })
const parts = [{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} }] as const
const model = { provider: 'p', modelId: 'm' }
const turn = reduce(initialState, event({ type: 'thought', readUntil: 0, model, parts, usage: noUsage, ms: 1 }, 0))
const call = '1/tool/0'
const asked = (id: string, of: object) =>
  ({ id, kind: 'confirm', prompt: 'Sure?', yes: 'Yes', no: 'No', ...of }) as const

const growing: readonly (readonly [string, (i: number) => readonly EventBody[]])[] = [
  ['notes of a run', (i) => [{ type: 'noted', key: `once/${i}`, value: i }]],
  ['notes of a call', (i) => [{ type: 'noted', call, key: `${call}/once/${i}`, value: i }]],
  [
    'questions and replies of a run',
    (i) => [
      { type: 'asked', ask: asked(`ask ${i}`, {}) },
      { type: 'replied', ask: `ask ${i}`, value: true },
    ],
  ],
  [
    'questions and replies of a call',
    (i) => [
      { type: 'asked', ask: asked(`${call}/ask/${i}`, { call }) },
      { type: 'replied', ask: `${call}/ask/${i}`, value: true, awaited: true },
    ],
  ],
]

it.each(growing)('reads no member again for each new one: %s', (_, eventsAt) => {
  const { counted, reads } = counter()
  let state: RunState = turn
  for (let i = 0; i < 1_000; i++) {
    for (const body of eventsAt(i)) state = reduce(state, event(body, state.seq))
    const last = lastOf(state.history)
    const calls = last?.type === 'turn' ? last.calls.map((each) => counted<Call>(each)) : []
    if (last?.type === 'turn') {
      const next = copyOf(counted(state))
      next.history = replaceLast(state.history, { ...last, calls })
      state = next
    }
  }

  // A copy for each member would read half a million.
  expect(reads()).toBeLessThan(20_000)
})
