import type { Event } from '@interleave/core'
import { createFeed, initialState, noUsage } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import { createLiveQueue } from './liveQueue.ts'

const said = (seq: number): Event => ({ seq, at: 1, iteration: 0, type: 'said', by: 'user', content: `${seq}` })
const delta = (text: string) => ({ type: 'delta', kind: 'text', delta: text }) as const

function queue() {
  const feed = createFeed({ state: initialState, events: [] })
  const told: string[] = []
  feed.subscribe((event) => told.push('delta' in event ? event.delta : event.type))
  return { feed, live: createLiveQueue(feed), told }
}

it('holds back what comes before the events that it follows, with pieces of one text as one', () => {
  const { feed, live, told } = queue()
  live.add(1, delta('a'))
  live.add(1, delta('b'))
  live.add(2, delta('c'))

  for (const seq of [0, 1]) {
    feed.tell(said(seq))
    live.drain()
  }

  expect(told).toEqual(['said', 'ab', 'said', 'c'])
})

const thought = (seq: number): Event =>
  ({ seq, at: 1, iteration: 1, type: 'thought', parts: [], usage: noUsage, ms: 1, heard: 0, model }) as const
const model = { provider: 'p', modelId: 'm' }

it('leaves out what is of a turn that is over, and what a dead owner said', () => {
  const { feed, live, told } = queue()
  feed.tell(said(0))
  feed.tell(thought(1))
  live.add(1, delta('late'))
  live.add(3, delta('dead'))
  live.clear()
  feed.tell(said(2))
  live.drain()

  expect(told).toEqual(['said', 'thought', 'said'])
})

it('leaves out nothing of a turn in the middle of which somebody says something', () => {
  const { feed, live, told } = queue()
  live.add(1, delta('a'))
  live.add(2, delta('b'))

  for (const seq of [0, 1]) feed.tell(said(seq))
  live.drain()

  expect(told).toEqual(['said', 'said', 'a', 'b'])
})
