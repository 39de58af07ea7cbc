import { expect, it, vi } from 'vitest'
import { browserOrigin } from './origin.ts'

let names = 0
function openTwo() {
  const name = `origin-${Date.now()}-${names++}`
  const open = () => {
    const listener = { onMessage: vi.fn(), onAway: vi.fn(), onBack: vi.fn() }
    return { ...listener, channel: browserOrigin().channel(name, listener) }
  }
  return [open(), open()] as const
}

it('delivers a message to all others on the channel, but not to its sender', async () => {
  const [one, two] = openTwo()

  one.channel.post({ type: 'owner' })

  await expect.poll(() => two.onMessage).toHaveBeenCalledExactlyOnceWith({ type: 'owner' })
  expect(one.onMessage).not.toHaveBeenCalled()
})

it('sends nothing more once it is closed, and receives nothing', () => {
  const [one, two] = openTwo()
  one.channel.close()

  one.channel.post('late')
  dispatchEvent(new Event('pagehide'))
  dispatchEvent(new Event('pageshow'))

  expect([one.onAway, two.onAway, one.onBack, two.onBack].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0, 1])
  expect([one.onMessage, two.onMessage].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})

it('receives again when its page is back', async () => {
  const [one, two] = openTwo()

  dispatchEvent(new Event('pageshow'))
  dispatchEvent(new Event('pagehide'))
  one.channel.post('unheard')
  dispatchEvent(new Event('pageshow'))
  one.channel.post('heard')

  await expect.poll(() => two.onMessage).toHaveBeenCalledExactlyOnceWith('heard')
  expect([two.onAway, two.onBack].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('says that tabs cannot share runs where the browser denies channels, and leaves no listener', () => {
  const listener = { onMessage: vi.fn(), onAway: vi.fn(), onBack: vi.fn() }
  vi.stubGlobal('BroadcastChannel', function denied() {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  })

  try {
    expect(() => browserOrigin().channel('denied', listener)).toThrow(/Tabs cannot share runs here: .+ insecure\./)
    dispatchEvent(new Event('pagehide'))
  } finally {
    vi.unstubAllGlobals()
  }
  expect(listener.onAway).not.toHaveBeenCalled()
})
