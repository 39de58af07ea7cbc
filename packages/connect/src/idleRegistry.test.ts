import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { IdleRegistry } from './idleRegistry.ts'

/** A registry with one idle item, which is released after 1,000 ms without use. */
function setUp(isDurable: () => boolean | Promise<boolean> = () => true) {
  const host = manualHost()
  let timers = 0
  const timer: typeof host.timer = (...given) => {
    const cancel = host.timer(...given)
    timers++
    let isOver = false
    return () => {
      if (!isOver) timers--
      isOver = true
      cancel()
    }
  }
  const registry = new IdleRegistry<string>({
    settledLength: () => 1,
    isDurable,
    releaseItem() {},
    ...{ ms: 1_000, host: { timer } },
  })
  registry.addItem('r', 'item')
  return { host, registry, isOpen: () => registry.findItem('r') !== undefined, timers: () => timers }
}

it('releases an item only after the whole time since its last use', async () => {
  const { host, registry, isOpen } = setUp()
  registry.useItem('r')()
  await host.advance(900)

  registry.useItem('r')()
  await host.advance(999)
  expect(isOpen()).toBe(true)
  await host.advance(1)

  expect(isOpen()).toBe(false)
})

it('releases no item that was used while it was looked up', async () => {
  let answer = (_: boolean): void => {}
  const { host, registry, isOpen } = setUp(() => new Promise((resolve) => (answer = resolve)))
  registry.useItem('r')()
  await host.advance(1_000)

  registry.useItem('r')()
  answer(true)
  await host.advance(999)

  expect(isOpen()).toBe(true)
})

it('has one timer for an item, however often it was used, and none for one that was removed', async () => {
  const { registry, timers } = setUp()

  for (let i = 0; i < 5; i++) registry.useItem('r')()
  expect(timers()).toBe(1)
  registry.removeItem('r', 'item')

  expect(timers()).toBe(0)
})
