import { manualHost } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import { Notifier, pause, retryDelay, until } from './wait.ts'

const scope = globalThis as { addEventListener?: unknown }
const own = scope.addEventListener
afterEach(() => {
  scope.addEventListener = own
})

it('waits its time, or until the signal aborts', async () => {
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

it('continues at once when the browser is online again', async () => {
  const browser = new EventTarget()
  scope.addEventListener = browser.addEventListener.bind(browser)
  const host = manualHost()
  const paused = pause(host, 60_000, new AbortController().signal)

  browser.dispatchEvent(new Event('online'))
  await paused

  expect(host.timers).toBe(0)
})

it('aborts work that nothing waits for any more, and no other', async () => {
  const host = manualHost()
  const over = new AbortController()
  const signals: AbortSignal[] = []
  const work = (signal: AbortSignal): Promise<string> => {
    signals.push(signal)
    return new Promise(() => {})
  }
  const late = until(work, { host, ms: 1_000, onTimeout: () => 'late' })
  const failed = until(work, { host, ms: 1_000, onTimeout: () => Promise.reject(new Error('Too late.')) })
  const thrown = until(work, { host, ms: 1_000 })
  const aborted = until(work, { host, ms: 5_000, signal: over.signal })
  const done = until(async (signal) => signals.push(signal), { host, ms: 1_000 })
  const outcomes = Promise.allSettled([late, failed, thrown, aborted, done])

  await host.advance(1_000)
  over.abort(new Error('Enough.'))

  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 'late' },
    { status: 'rejected', reason: new Error('Too late.') },
    { status: 'rejected', reason: new TypeError('No answer within 1000 ms.') },
    { status: 'rejected', reason: new Error('Enough.') },
    { status: 'fulfilled', value: 5 },
  ])
  expect([signals.map(({ aborted }) => aborted), host.timers]).toEqual([[true, true, true, true, false], 0])
})

it('notifies the waiter, or the next one if there is none', async () => {
  const host = manualHost()
  const notifier = new Notifier(host)
  const seen: boolean[] = []
  const wait = (ms: number): Promise<unknown> => notifier.next(ms).then((was) => seen.push(was))

  const first = wait(1_000)
  notifier.notify()
  await first
  const second = wait(1_000)
  await host.advance(1_000)
  await second
  notifier.notify()
  notifier.notify()
  await wait(1_000)

  expect(seen).toEqual([true, false, true])
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
