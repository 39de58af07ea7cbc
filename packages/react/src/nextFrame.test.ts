import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { nextFrame } from './frames.ts'

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

it('continues with a timer if the page is hidden while a frame is awaited', () => {
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

it('delivers everything that waits in one frame, and later callbacks in the next', () => {
  vi.stubGlobal('document', { visibilityState: 'visible' })
  const request = vi.fn((callback: () => void) => setTimeout(callback, 16))
  vi.stubGlobal('requestAnimationFrame', request)
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  const told: string[] = []
  let callOffSecond = (): void => {}

  nextFrame(() => {
    told.push('first')
    callOffSecond()
    nextFrame(() => told.push('late'))
  })
  callOffSecond = nextFrame(() => told.push('second'))
  nextFrame(() => told.push('third'))
  vi.advanceTimersByTime(16)
  const inOne = [...told]
  vi.advanceTimersByTime(16)

  expect(inOne).toEqual(['first', 'third'])
  expect(told).toEqual(['first', 'third', 'late'])
  expect(request).toHaveBeenCalledTimes(2)
})

it('calls the others when one throws', () => {
  vi.stubGlobal('requestAnimationFrame', undefined)
  vi.stubGlobal('queueMicrotask', () => {})
  const callback = vi.fn()

  nextFrame(() => {
    throw new Error('Not me.')
  })
  nextFrame(callback)
  vi.advanceTimersByTime(100)

  expect(callback).toHaveBeenCalledOnce()
})
