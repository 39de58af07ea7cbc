import { afterEach, expect, it, vi } from 'vitest'
import { tabHost } from './index.ts'

/** The page is hidden, and its own timers come as late as those of a hidden page. */
function hide(isHidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: isHidden ? 'hidden' : 'visible' })
  document.dispatchEvent(new Event('visibilitychange'))
}
const lateTimeout = vi.fn<(callback: () => void, ms?: number) => number>(() => 0)

afterEach(() => {
  vi.unstubAllGlobals()
  hide(false)
})

it.each(['set before it was hidden', 'set while it is hidden'])(
  'rings in time in a hidden page, if %s',
  async (when) => {
    const host = tabHost()
    vi.stubGlobal('setTimeout', lateTimeout)
    if (when === 'set while it is hidden') hide(true)

    const rung = new Promise<string>((resolve) => host.timer(20, () => resolve('rung')))
    if (when === 'set before it was hidden') hide(true)

    expect(await rung).toBe('rung')
  },
)

it('rings no timer early because the clock is set forward', async () => {
  const host = tabHost()
  const pending = vi.fn()
  const cancel = host.timer(60_000, pending)
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000)
  vi.stubGlobal('setTimeout', lateTimeout)

  hide(true)
  // The worker is the clock, and rings in order.
  await new Promise<void>((resolve) => host.timer(20, resolve))

  expect(pending).not.toHaveBeenCalled()
  cancel()
  vi.restoreAllMocks()
})

it('rings once, and not when it was called off', async () => {
  const host = tabHost()
  hide(true)
  const ring = vi.fn()
  const calledOff = vi.fn()
  host.timer(5, ring)
  host.timer(5, calledOff)()

  await new Promise((resolve) => setTimeout(resolve, 60))

  expect(ring).toHaveBeenCalledTimes(1)
  expect(calledOff).not.toHaveBeenCalled()
})

it('is late, and no worse, where no worker may be started', async () => {
  vi.stubGlobal('Worker', () => {
    throw new Error('forbidden')
  })
  const host = tabHost()
  hide(true)

  await new Promise<void>((resolve) => host.timer(5, resolve))
})

it('reports when the page is hidden, until it is cancelled', () => {
  const host = tabHost()
  const leave = vi.fn()
  const stay = host.onLeave?.(leave)

  hide(true)
  hide(false)
  hide(true)
  hide(false)
  stay?.()
  hide(true)

  expect(leave).toHaveBeenCalledTimes(2)
})

it('listens to the page only while something waits', async () => {
  const listening = new Set<unknown>()
  vi.spyOn(document, 'addEventListener').mockImplementation((_, listener) => void listening.add(listener))
  vi.spyOn(document, 'removeEventListener').mockImplementation((_, listener) => void listening.delete(listener))
  const host = tabHost()
  const before = listening.size

  const cancel = host.timer(1_000, () => {})
  const stay = host.onLeave?.(() => {})
  await new Promise<void>((resolve) => host.timer(1, resolve))
  const meanwhile = listening.size
  cancel()
  stay?.()

  expect([before, meanwhile, listening.size]).toEqual([0, 1, 0])
  vi.restoreAllMocks()
})
