import type { Page } from 'playwright-core'
import { sleep } from '../pace.ts'

/**
 * Types while the work goes on. Returns the milliseconds from a key to the next paint, as Interaction to Next Paint
 * counts them (https://web.dev/articles/inp): the slowest key, without one for every 50. Chromium can be slowed down, to
 * the speed of a phone.
 */
export async function delayOfKeys(page: Page, work: () => Promise<unknown>, slowdown = 1): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.locator('textarea').focus()
  await page.evaluate(observeKeys)
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let keys = 0
  while (!isOver) {
    await page.keyboard.press('a')
    keys++
    await sleep(90)
  }
  await done
  const delays = await page.evaluate(() => globalThis.delays())
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  // Chromium tells of no key that takes less than a frame of 16 ms.
  return delays.toSorted((a, b) => b - a)[Math.floor(keys / 50)] ?? 16
}

declare global {
  /** Of each key, the longest of its events, in milliseconds. */
  var delays: () => readonly number[]
}

function observeKeys(): void {
  const delays = new Map<number, number>()
  const observer = new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
      if (interactionId > 0) delays.set(interactionId, Math.max(duration, delays.get(interactionId) ?? 0))
  })
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  globalThis.delays = () => [...delays.values()]
}
