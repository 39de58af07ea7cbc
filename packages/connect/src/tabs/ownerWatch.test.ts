import { manualHost } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { OwnerWatch } from './ownerWatch.ts'

function watching() {
  const host = manualHost()
  const ping = vi.fn()
  const onSilence = vi.fn()
  const watch = new OwnerWatch({ host, takeoverAfterMs: 400, ping, onSilence })
  watch.start()
  return { host, watch, ping, onSilence }
}

it('asks before it gives up', async () => {
  const { host, ping, onSilence } = watching()

  await host.advance(399)
  const before = onSilence.mock.calls.length
  await host.advance(1)

  expect(ping.mock.calls.length).toBeGreaterThan(2)
  expect([before, onSilence.mock.calls.length]).toEqual([0, 1])
})

it('is content with a word', async () => {
  const { host, watch, ping, onSilence } = watching()
  ping.mockImplementation(() => watch.noteLife())

  await host.advance(5_000)

  expect(onSilence).not.toHaveBeenCalled()
})

it.each([60_000, -60_000])('starts counting again when it slept or the clock was set: by %i', async (by) => {
  let now = 0
  const timers: (() => void)[] = []
  const timer = (_: number, ring: () => void) => {
    timers.push(ring)
    return () => {}
  }
  const onSilence = vi.fn()
  new OwnerWatch({ host: { now: () => now, timer }, takeoverAfterMs: 400, ping() {}, onSilence }).start()

  now = by
  timers.shift()?.()
  expect(onSilence).not.toHaveBeenCalled()

  for (let pace = 0; pace < 4; pace++) {
    now += 100
    timers.shift()?.()
  }
  expect(onSilence).toHaveBeenCalledOnce()
})

it('reports no silence once it does not watch any more', async () => {
  const { host, watch } = watching()
  await host.advance(400)
  const before = watch.isSilent()

  watch.stop()

  expect([before, watch.isSilent()]).toEqual([true, false])
})
