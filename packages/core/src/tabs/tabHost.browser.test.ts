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
