import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { liveHub } from './liveHub.ts'
import { postLive } from './postLive.ts'
import { watchRestate } from './watchRestate.ts'

const fault = new Error('Nobody listens.')
const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
const fail = (): never => {
  throw fault
}

afterEach(() => reported.mockClear())
afterAll(() => reported.mockRestore())

it('tells the others of a hub what one of them cannot receive', async () => {
  const hub = liveHub()
  const told: unknown[] = []
  hub.subscribe('a', fail)
  hub.subscribe('a', (each) => told.push(each))

  hub.publish('a', { after: 0, iteration: 0, events: [] })

  expect(told).toHaveLength(1)
  await expect.poll(() => reported.mock.calls).toEqual([[fault]])
})

it('posts again though no one receives that it failed', async () => {
  let posts = 0
  const fetch = async () => new Response(null, { status: posts++ === 0 ? 503 : 204 })
  const tell = postLive({ url: 'http://hub.test', secret: 'x', fetch, onFault: async () => fail() })

  tell('a', { after: 0, iteration: 0, events: [] })

  await expect.poll(() => posts).toBe(2)
  expect(reported.mock.calls).toEqual([[fault]])
})

it('looks again though no one learns of an alarm', async () => {
  let looks = 0
  const fetch = async () => new Response(null, { status: looks++ < 2 ? 503 : 500 })
  const watch = watchRestate({ admin: 'http://admin.test', every: 1, fetch, onAlarm: fail })

  await expect.poll(() => looks).toBeGreaterThan(2)
  watch.close()
  expect(reported.mock.calls).toEqual([[fault]])
})
