import { expect, it, vi } from 'vitest'
import { OwnerLock } from './ownerLock.ts'

let names = 0

/** Opens a tab of an origin: its own locks, in a frame that can be removed as a tab is closed. */
function openTab(name: string) {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const locks = frame.contentWindow?.navigator.locks
  if (!locks) throw new Error('The frame has no locks.')
  const onHeld = vi.fn()
  const onLost = vi.fn()
  return {
    lock: new OwnerLock({ locks, name, onHeld, onLost, onDenied: vi.fn() }),
    onHeld,
    onLost,
    kill: () => frame.remove(),
  }
}

function openTabs() {
  const name = `owner-${Date.now()}-${names++}`
  return [openTab(name), openTab(name), openTab(name)] as const
}

it('is had by one', async () => {
  const [one, two] = openTabs()

  expect(await one.lock.tryNow()).toBe(true)
  expect(await two.lock.tryNow()).toBe(false)
  expect([one.onHeld, two.onHeld].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
})

it('goes to the next in line when its tab is gone', async () => {
  const [one, two, three] = openTabs()
  await one.lock.tryNow()
  two.lock.queue()
  three.lock.queue()

  one.kill()

  await expect.poll(() => two.onHeld).toHaveBeenCalledOnce()
  expect(three.onHeld).not.toHaveBeenCalled()
})

it('goes to the next in line when it is given back, and not to one that has just left', async () => {
  const [one, two, three] = openTabs()
  await one.lock.tryNow()
  two.lock.queue()
  three.lock.queue()

  two.lock.release()
  one.lock.release()

  await expect.poll(() => three.onHeld).toHaveBeenCalledOnce()
  expect([one.onLost, two.onHeld].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})

it('is stolen from its holder, which is notified', async () => {
  const [one, two, three] = openTabs()
  await one.lock.tryNow()
  two.lock.queue()
  three.lock.queue()

  three.lock.steal()

  await expect.poll(() => one.onLost).toHaveBeenCalledOnce()
  expect([two.onHeld, three.onHeld].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
})

it('is free again when its new holder releases it at once', async () => {
  const [one, two] = openTabs()
  one.onHeld.mockImplementation(() => one.lock.release())

  await one.lock.tryNow()
  two.lock.queue()

  await expect.poll(() => two.onHeld).toHaveBeenCalledOnce()
})
