import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { FollowWay } from './followWay.ts'
import { manyPlaces } from './pagePlaces.ts'

/** The way of a page in a browser, which is visible and in which all streams are taken unless it says otherwise. */
function wayOf({ isHidden = false, isFree = false, servesTools = false } = {}): FollowWay {
  const takePlace = async () => (isFree ? () => {} : undefined)
  return new FollowWay({ ...manyPlaces(), areFew: true, isHidden, takePlace }, servesTools)
}
const settled: Event = { seq: 0, at: 1, iteration: 0, type: 'settled', signal: { type: 'stopped', reason: 'Enough.' } }

it('asks a run that works each second, hidden every 20 seconds, and streams if the page runs tools', async () => {
  const [full, hidden] = [wayOf(), wayOf({ isHidden: true, isFree: true })]
  const serving = wayOf({ isHidden: true, isFree: true, servesTools: true })

  expect([await full.takePlace(0), full.nextMs(0)]).toEqual([undefined, 1_000])
  expect([await hidden.takePlace(0), hidden.nextMs(0)]).toEqual([undefined, 20_000])
  expect(await serving.takePlace(0)).toBeTypeOf('function')
})

it('asks a settled run after 2 seconds, then less often, up to every 15 seconds, and not at all while it is hidden', async () => {
  const [visible, hidden] = [wayOf({ isFree: true }), wayOf({ isHidden: true, isFree: true })]
  for (const way of [visible, hidden]) way.receiveEvent(settled)

  expect(await visible.takePlace(0)).toBeUndefined()
  expect(Array.from({ length: 7 }, () => visible.nextMs(0))).toEqual([
    2_000, 3_000, 4_500, 6_750, 10_125, 15_000, 15_000,
  ])
  expect([await hidden.takePlace(0), hidden.nextMs(0)]).toEqual([undefined, Number.POSITIVE_INFINITY])
})
