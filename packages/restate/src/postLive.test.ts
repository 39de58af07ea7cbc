import type { Host } from '@interleave/core'
import { until } from '@interleave/test-kit/until'
import { expect, it } from 'vitest'
import { hubHandler } from './hubHandler.ts'
import type { HubMessage } from './liveHub.ts'
import { postLive } from './postLive.ts'

const secret = 'a secret of at least 32 bytes, for tests'
const thinking = { after: 2, iteration: 0, events: [{ type: 'thinking', iteration: 1 }] } as const
const said = (delta: string) => ({ after: 2, iteration: 0, events: [{ type: 'delta', kind: 'text', delta }] }) as const

/** Time passes as fast as it can. */
const host: Pick<Host, 'newId' | 'timer'> = {
  newId: () => '5f0c',
  timer: (ms, callback) => {
    const waiting = setTimeout(callback, ms / 10)
    return () => clearTimeout(waiting)
  },
}

/** Creates a hub that can be lost, and records what it receives. */
function openHub(maxBytes?: number) {
  const received: string[] = []
  const open = () =>
    hubHandler(
      { publish: (run, told) => void received.push(`${run} ${textOf(told)}`) },
      { secret, ...(maxBytes && { maxBytes }) },
    )
  let handle: ReturnType<typeof open> | undefined = open()
  let posts = 0
  return {
    received: received,
    get posts() {
      return posts
    },
    lose: () => {
      handle = undefined
    },
    open: () => {
      handle = open()
    },
    fetch: async (url: string, init: RequestInit) => {
      posts++
      if (!handle) throw new TypeError('fetch failed')
      return handle(new Request(url, init))
    },
  }
}

const textOf = (told: HubMessage): string =>
  'kept' in told
    ? `kept ${told.kept.length}`
    : told.events.map((event) => (event.type === 'delta' ? event.delta : event.type)).join(' ')

it('passes on what it receives in its order, several at once', async () => {
  const hub = openHub()
  const tell = postLive({ ...{ url: 'http://hub/', secret, host }, fetch: hub.fetch })
  const words = Array.from({ length: 500 }, (_, index) => `${index}`)

  tell('a', thinking)
  for (const word of words) tell('a', said(word))
  await until(() => hub.received.length > 500)

  expect(hub.received).toEqual(['a thinking', ...words.map((word) => `a ${word}`)])
  expect(hub.posts).toBeLessThan(5)
})

it('tells again what did not arrive, and nothing twice', async () => {
  const hub = openHub()
  let isDeaf = true
  const faults: string[] = []
  const tell = postLive({
    ...{ url: 'http://hub/', secret, host },
    // The first answer is lost on its way back.
    fetch: async (url, init) => {
      const response = await hub.fetch(url, init)
      if (!isDeaf) return response
      isDeaf = false
      throw new TypeError('socket hang up')
    },
    onFault: ({ message }) => faults.push(message),
  })

  tell('a', thinking)
  tell('a', said('Hel'))
  await until(() => faults.length > 0)
  tell('a', said('lo'))
  await until(() => hub.received.length > 2)

  expect(hub.received).toEqual(['a thinking', 'a Hel', 'a lo'])
  expect(faults).toEqual(['The hub cannot be reached: socket hang up'])
})

it('shows no turn with a hole where a hub was lost, and the next one again', async () => {
  const hub = openHub()
  const tell = postLive({ ...{ url: 'http://hub/', secret, host }, fetch: hub.fetch })
  tell('a', thinking)
  tell('a', said('Hel'))
  await until(() => hub.received.length > 1)

  hub.lose()
  tell('a', said('lo '))
  await until(() => hub.posts > 1)
  hub.open()
  tell('a', said('world'))
  tell('a', thinking)
  tell('a', said('Again'))
  await until(() => hub.received.includes('a Again'))

  expect(hub.received).toEqual(['a thinking', 'a Hel', 'a thinking', 'a Again'])
})

it('keeps no more than it may for a hub that is gone, and holds up no other', async () => {
  const [gone, there] = [openHub(), openHub()]
  gone.lose()
  const tell = postLive({
    ...{ url: ['http://gone/', 'http://there/'], secret, host, maxChars: 1_000 },
    fetch: (url, init) => (url === 'http://gone/' ? gone : there).fetch(url, init),
  })

  tell('a', thinking)
  for (let index = 0; index < 100; index++) {
    tell('a', said(`${index}`))
    await until(() => there.received.length > index + 1)
  }
  gone.open()
  tell('b', thinking)
  await until(() => gone.received.includes('b thinking'))

  expect(there.received.length).toBeGreaterThan(100)
  expect(gone.received).toEqual(['b thinking'])
})

it('says what is wrong, and continues with the next where one is refused', async () => {
  const hub = openHub(300)
  const faults: (number | undefined)[] = []
  const tell = postLive({
    ...{ url: 'http://hub/', secret, host, onFault: ({ status }) => void faults.push(status) },
    fetch: hub.fetch,
  })

  tell('a', said('x'.repeat(500)))
  await until(() => faults.length > 0)
  tell('a', thinking)
  await until(() => hub.received.length > 0)

  expect(faults).toEqual([413])
  expect(hub.received).toEqual(['a thinking'])
})

it('tries again with the wrong secret, which may become the right one', async () => {
  const hub = openHub()
  const faults: (number | undefined)[] = []
  const tell = postLive({
    ...{ url: 'http://hub/', host, onFault: ({ status }) => void faults.push(status) },
    secret: 'another secret of at least 32 bytes',
    fetch: hub.fetch,
  })

  tell('a', thinking)
  await until(() => faults.length > 1)

  expect(faults.slice(0, 2)).toEqual([401, 401])
  expect(hub.received).toEqual([])
})

it('waits for no hub that does not answer', async () => {
  const faults: string[] = []
  const tell = postLive({
    ...{ url: 'http://hub/', secret, onFault: ({ message }) => void faults.push(message) },
    host: { ...host, timer: (ms, callback) => host.timer(ms / 100, callback) },
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  })

  tell('a', thinking)
  await until(() => faults.length > 1)

  expect(faults[0]).toBe('The hub cannot be reached: No answer within 10000 ms.')
})
