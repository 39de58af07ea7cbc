import { expect, it } from 'vitest'
import { Limiter, takeRequest } from './limiter.ts'

it.each([0, 3_600_000])('lets a user continue after a minute whose clock was set back by %d ms', (back) => {
  let now = 1_000_000_000
  const limiter = new Limiter({ requests: 2, streams: 1 }, { now: () => now })
  const count = (): void => limiter.count('ada')
  for (let i = 0; i < 2; i++) count()
  expect(count).toThrow('2 requests in a minute are allowed')

  now += 60_000 - back
  for (let i = 0; i < 2; i++) count()

  expect(count).toThrow('2 requests in a minute are allowed')
})

it('counts the requests of a user without a limit', () => {
  const limit = Number.POSITIVE_INFINITY

  expect(takeRequest({ room: limit, at: 1_000 }, limit, 1_000)).toEqual({ room: limit, at: 1_000 })
})
