import { afterEach, expect, it, vi } from 'vitest'
import { elapsedOf, localHost } from './host.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('waits longer than the 24.8 days that a platform can', () => {
  vi.useFakeTimers()
  const rung: number[] = []
  const month = 30 * 86_400_000
  const begun = Date.now()
  localHost.timer(month, () => rung.push(Date.now() - begun))

  vi.advanceTimersByTime(month - 1)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual([month])
})

it('cancels a timer that is longer than that', () => {
  vi.useFakeTimers()
  const cancel = localHost.timer(30 * 86_400_000, () => expect.unreachable())
  vi.advanceTimersByTime(25 * 86_400_000)
  cancel()

  vi.advanceTimersByTime(10 * 86_400_000)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['reads what arrived while the process slept before a late timer rings', 180_000, 500],
  ['rings a timer at once that is on time', 0, 0],
])('%s', (_, sleptMs, later) => {
  vi.useFakeTimers()
  const { performance: clock } = globalThis
  let slept = 0
  vi.stubGlobal('performance', { now: () => clock.now() + slept })
  const rung: string[] = []
  localHost.timer(4_000, () => rung.push('timer'))
  slept = sleptMs

  vi.advanceTimersByTime(4_000 + later - 1)
  expect(rung).toEqual([])
  vi.advanceTimersByTime(1)
  expect(rung).toEqual(['timer'])
})

it('measures no time by which the clock is set', () => {
  const begun = elapsedOf(localHost)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)

  expect(elapsedOf(localHost) - begun).toBeLessThan(60_000)
  vi.restoreAllMocks()
})

it('has new ids also in a page that came by HTTP from another machine', () => {
  const { crypto } = globalThis
  vi.stubGlobal('crypto', { getRandomValues: (array: Uint32Array<ArrayBuffer>) => crypto.getRandomValues(array) })

  const ids = new Set(Array.from({ length: 1_000 }, () => localHost.newId()))

  expect(ids.size).toBe(1_000)
  for (const id of ids) expect(id).toMatch(/^\d+(-\d+){3}$/)
})
