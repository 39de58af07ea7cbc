import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { type HubMessage, type LiveBatch, liveHub } from './liveHub.ts'

const word = (iteration: number, delta: string): LiveBatch => ({
  ...{ after: 2 * iteration + 2, iteration },
  events: [{ type: 'delta', kind: 'text', delta }],
})
const thought = (iteration: number): HubMessage => ({
  kept: [{ seq: 2, at: 0, iteration, type: 'thought' } as unknown as Event],
})

function toldTo(hub: ReturnType<typeof liveHub>): readonly HubMessage[] {
  const told: HubMessage[] = []
  hub.subscribe('a', (each) => told.push(each))()
  return told
}

it('tells who comes in the middle of a turn what there is of it', () => {
  const hub = liveHub()
  hub.publish('a', word(0, 'It is '))
  hub.publish('a', word(0, 'open.'))

  expect(toldTo(hub)).toEqual([word(0, 'It is '), word(0, 'open.')])
})

it('forgets a turn that is kept, and not the one after it', () => {
  const hub = liveHub()
  hub.publish('a', word(0, 'It is '))
  hub.publish('a', thought(1))
  expect(toldTo(hub)).toEqual([])

  hub.publish('a', word(1, 'On Monday.'))
  hub.publish('a', thought(1))

  expect(toldTo(hub)).toEqual([word(1, 'On Monday.')])
})
