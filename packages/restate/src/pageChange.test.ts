import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { pageChangeOf } from './pageOffers.ts'

/** An event without its stamp. */
type EventBody = Event extends infer E ? (E extends Event ? Omit<E, 'seq' | 'at' | 'iteration'> : never) : never

const news = (body: EventBody) => pageChangeOf('r', { seq: 9, at: 0, iteration: 1, ...body } as Event)
const choice = { kind: 'choice', prompt: 'Open one.', options: [], pageFor: 'mark' } as const
const stopped = { type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } } as const

it('reports a call that waits for a page, by its note and by its question', () => {
  const wanted = { call: 'r/1/tool/0', tool: 'mark', ask: '1/tool/0/ask/page', runId: 'r' }

  const noted = news({ type: 'noted', call: '1/tool/0', key: '1/tool/0/page', value: 'mark' })
  const asked = news({ type: 'asked', ask: { ...choice, id: '1/tool/0/ask/page', call: '1/tool/0' } })

  expect([noted.wanted, asked.wanted]).toEqual([wanted, wanted])
})

it('reports a call of a child run by its question', () => {
  const ask = { ...choice, id: '1/tool/0>b>2/tool/1/ask/page', from: { runId: 'r/1/tool/0/b', agent: 'other' } }

  expect(news({ type: 'asked', ask }).wanted).toEqual({
    ...{ call: 'r/1/tool/0/b/2/tool/1', runId: 'r/1/tool/0/b' },
    ...{ tool: 'mark', ask: '1/tool/0>b>2/tool/1/ask/page' },
  })
})

it.each<[string, EventBody]>([
  ['was begun', { type: 'claimed', call: '1/tool/0' }],
  ['is over', { type: 'observed', call: '1/tool/0', result: { type: 'text', value: '' }, ms: 0 }],
  ['goes on without', { type: 'replied', ask: '1/tool/0/ask/page', value: 'skip' }],
  ['has one', { type: 'withdrawn', ask: '1/tool/0/ask/page' }],
  ['was stopped', stopped],
])('tells that a call %s, which wants no page any more', (_, body) => {
  expect(news(body).isMet?.('1/tool/0/ask/page')).toBe(true)
  expect(body.type === 'settled' || news(body).isMet?.('1/tool/1/ask/page')).toBe(body.type === 'settled')
})

it.each<[string, EventBody]>([
  ['is over', { type: 'observed', call: '1/tool/0', result: { type: 'text', value: '' }, ms: 0 }],
  ['is in doubt', { type: 'asked', ask: { ...choice, id: '1/tool/0/interruption', call: '1/tool/0' } }],
  ['is tried again', { type: 'noted', call: '1/tool/0', key: '1/tool/0/page', value: 'mark' }],
  ['is stopped', stopped],
])('tells that a call %s, so that no one waits for what a page does', (_, body) => {
  const { isOver } = news(body)

  expect(isOver?.('r/1/tool/0')).toBe(true)
  expect(body.type === 'settled' || isOver?.('r/1/tool/1')).toBe(body.type === 'settled')
})

it('ends what child runs do with the call that they work for, and nothing where a run only waits', () => {
  const observed = news({ type: 'observed', call: '1/tool/0', result: { type: 'text', value: '' }, ms: 0 })
  const waits = news({ type: 'settled', signal: { type: 'inputNeeded', asks: [{ ...choice, id: 'a' }] } })

  expect([observed.isOver?.('r/1/tool/0/b/2/tool/1'), observed.isOver?.('r/1/tool/01')]).toEqual([true, false])
  expect(waits).toEqual({})
})
