import { manualHost } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import { retryDelay } from './retry.ts'
import { pause } from './wait.ts'

const scope = globalThis as { addEventListener?: unknown }
const own = scope.addEventListener
afterEach(() => {
  scope.addEventListener = own
})

it('waits its time, or until nobody waits any more', async () => {
  const host = manualHost()
  const over = new AbortController()
  let count = 0
  for (const signal of [new AbortController().signal, over.signal, AbortSignal.abort()]) {
    void pause(host, 1_000, signal).then(() => count++)
  }

  await host.advance(10)
  expect(count).toBe(1)
  over.abort()
  await host.advance(10)
  expect(count).toBe(2)
  await host.advance(1_000)
  expect([count, host.timers]).toEqual([3, 0])
})

it('goes on at once when the browser is online again', async () => {
  const browser = new EventTarget()
  scope.addEventListener = browser.addEventListener.bind(browser)
  const host = manualHost()
  const paused = pause(host, 60_000, new AbortController().signal)

  browser.dispatchEvent(new Event('online'))
  await paused

  expect(host.timers).toBe(0)
})

it('waits longer each time, and no two the same', () => {
  const waits = [0, 1, 2, 3, 20].map((attempt) =>
    Array.from({ length: 50 }, () => retryDelay(attempt, { newId: () => crypto.randomUUID() })),
  )

  for (const [index, longest] of [250, 500, 1_000, 2_000, 10_000].entries()) {
    const some = waits[index] ?? []
    expect(Math.min(...some)).toBeGreaterThanOrEqual(longest / 2)
    expect(Math.max(...some)).toBeLessThanOrEqual(longest)
    expect(new Set(some).size).toBeGreaterThan(40)
  }
})
