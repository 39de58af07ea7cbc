import type { Event } from '@interleave/core'
import { Feed, initialState, noUsage } from '@interleave/core/internal'
import { expect, it } from 'vitest'
import { LogFollower } from './journalFollower.ts'

const said = (seq: number): Event => ({ seq, at: 1, iteration: 0, type: 'said', by: 'user', content: `${seq}` })
const delta = (text: string) => ({ type: 'delta', kind: 'text', delta: text }) as const

function queue() {
  const feed = new Feed({ state: initialState, log: [] })
  const told: string[] = []
  feed.subscribe((event) => told.push('delta' in event ? event.delta : event.type))
  return { feed, live: new LogFollower(feed), told }
}

it('holds back live events that arrive before their durable ones, with deltas of one text merged', () => {
  const { live, told } = queue()
  live.addLiveEvent(delta('a'), 1)
  live.addLiveEvent(delta('b'), 1)
  live.addLiveEvent(delta('c'), 2)

  for (const seq of [0, 1]) {
    live.appendEvents([said(seq)])
  }

  expect(told).toEqual(['said', 'ab', 'said', 'c'])
})

const thought = (seq: number): Event =>
  ({ seq, at: 1, iteration: 1, type: 'thought', parts: [], usage: noUsage, ms: 1, readUntil: 0, model }) as const
const model = { provider: 'p', modelId: 'm' }

it('omits events of a finished turn, and those of a dead owner', () => {
  const { live, told } = queue()
  live.appendEvents([said(0), thought(1)])
  live.addLiveEvent(delta('late'), 1)
  live.addLiveEvent(delta('dead'), 3)
  live.dropLiveEvents()
  live.appendEvents([said(2)])

  expect(told).toEqual(['said', 'thought', 'said'])
})

it('omits nothing of a turn in which a user says something', () => {
  const { feed, live, told } = queue()
  live.addLiveEvent(delta('a'), 1)

  for (const seq of [0, 1]) feed.publish(said(seq))
  live.addLiveEvent(delta('b'), 2)

  expect(told).toEqual(['said', 'said', 'a', 'b'])
})

it('replaces a log whose values are as deep as a tool may return them', () => {
  const { feed, live } = queue()
  const deep = JSON.parse(`${'['.repeat(64)}${']'.repeat(64)}`)
  const noted = (key: string): Event => ({ seq: 1, at: 1, iteration: 0, type: 'noted', key, value: { deep } })
  live.appendEvents([said(0), noted('a')])

  expect(live.replaceLog([said(0), noted('b')])).toBe(true)
  expect(feed.log[1]).toMatchObject({ key: 'b' })
})
