import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import type { Part } from '../../part.ts'
import { type Entry, initialState, type Turn } from '../../state.ts'
import { noUsage } from '../../usage.ts'
import { partsOf, segmentsOf } from './segment.ts'

const said = (content: string, by: 'user' | 'agent' = 'user'): Entry => ({ type: 'said', seq: 0, at: 0, by, content })
function turn(parts: readonly Part[], rest: Partial<Turn> = {}): Turn {
  const model = { provider: 'p', modelId: 'm' }
  return { type: 'turn', iteration: 1, at: 0, model, parts, usage: noUsage, ms: 0, calls: [], ...rest }
}
const search: Part = { type: 'tool-call', toolCallId: 's', toolName: 'search', input: {}, providerExecuted: true }
const found: Part = { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'much' }
const wrote = (text: string): Part => ({ type: 'text', text })
const state = (...history: readonly Entry[]) => ({ ...initialState, history: [history] })
const kindsOf = (...history: readonly Entry[]) => segmentsOf(state(...history)).map(({ kind }) => kind)

it('tells who speaks, also of messages from elsewhere', () => {
  const messages: LanguageModelV4Message[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  ]

  expect(
    kindsOf({ type: 'messages', at: 0, messages }, said('Go'), said('Go on.', 'agent'), turn([wrote('Well.')])),
  ).toEqual(['system', 'request', 'turn', 'request', 'reminder', 'turn'])
})

it('holds a call of the provider together with the turn that tells its result, and what lies between', () => {
  const segments = segmentsOf(
    state(said('Go'), turn([search]), said('Hurry'), turn([found, wrote('Much.')]), turn([wrote('x')])),
  )

  expect(segments.map(({ kind, entries }) => [kind, entries])).toEqual([
    ['request', 1],
    ['turn', 3],
    ['turn', 1],
  ])
})

it('holds them together also where a user allowed the call, and where the id comes again', () => {
  const asked: Turn = turn([search, { type: 'tool-approval-request', approvalId: 'a', toolCallId: 's' }], {
    calls: [
      {
        key: '1/tool/0',
        id: 's',
        name: 'search',
        input: {},
        status: 'done',
        approvalId: 'a',
        result: { type: 'text', value: '' },
      },
    ],
  })

  const segments = segmentsOf(state(said('Go'), asked, turn([found]), turn([search, found]), asked, turn([found])))

  expect(segments.map(({ entries }) => entries)).toEqual([1, 2, 1, 2])
})

it('keeps what is recent in whole segments, and the latest turn in any case', () => {
  const segments = segmentsOf(state(said('Go'), turn([search]), turn([found]), turn([wrote('word '.repeat(90))])))
  const kept = (keep: number, most: number) =>
    partsOf(segments, { keep, most, room: 1_000 }).recent.map(({ entries }) => entries)

  expect(kept(0, 0)).toEqual([1])
  expect(kept(2, 1_000)).toEqual([1])
  expect(kept(3, 1_000)).toEqual([2, 1])
  expect(kept(3, 95)).toEqual([1])
  expect(kept(9, 1_000)).toEqual([1, 2, 1])
})
