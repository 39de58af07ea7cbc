import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nextFrame } from './nextFrame.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is a timer where there are no frames', () => {
  vi.stubGlobal('requestAnimationFrame', undefined)
  const callback = vi.fn()

  nextFrame(callback)
  vi.advanceTimersByTime(99)
  const before = callback.mock.calls.length
  vi.advanceTimersByTime(1)

  expect([before, callback.mock.calls.length]).toEqual([0, 1])
})

it('is the next frame of a visible page, and only that', () => {
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  const callback = vi.fn()

  nextFrame(callback)
  vi.advanceTimersByTime(1_000)

  expect(callback).toHaveBeenCalledOnce()
})

it('goes on by a timer when the page is hidden while a frame is awaited', () => {
  vi.stubGlobal('requestAnimationFrame', () => 1)
  vi.stubGlobal('cancelAnimationFrame', () => {})
  const page = { visibilityState: 'visible' }
  vi.stubGlobal('document', page)
  const callback = vi.fn()

  nextFrame(callback)
  vi.advanceTimersByTime(500)
  const before = callback.mock.calls.length
  page.visibilityState = 'hidden'
  vi.advanceTimersByTime(100)

  expect([before, callback.mock.calls.length]).toEqual([0, 1])
})

it('can be called off', () => {
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const callback = vi.fn()

  nextFrame(callback)()
  vi.advanceTimersByTime(1_000)

  expect(callback).not.toHaveBeenCalled()
})
