import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { ClientSocket } from './durableContext.ts'
import { EventRelay } from './relayEvents.ts'

const kept = (seq: number): string => `id: ${seq}\ndata: {"seq":${seq},"at":${seq}}\n\n`

/** Creates a run that streams these texts, one between two rests, and a wake-up socket that the test uses. */
function setUp(...told: readonly string[]) {
  const host = manualHost()
  const listeners: Record<string, (event: { data?: unknown }) => void> = {}
  const opened: unknown[] = []
  const stream = (): ReadableStream<Uint8Array> => new Response(told[opened.length]).body as ReadableStream<Uint8Array>
  const first = stream()
  const relay = new EventRelay(
    first,
    { next: 0, at: undefined },
    {
      host,
      heartbeatMs: 1_000,
      follows: true,
      async openEvents(from) {
        opened.push(from)
        return stream()
      },
      openWakeSocket: async () =>
        ({
          accept() {},
          close: () => listeners.close?.({}),
          addEventListener: (type, listener) => (listeners[type] = listener),
        }) as ClientSocket,
    },
  )
  const wake = (message: object): void => listeners.message?.({ data: JSON.stringify(message) })
  const next = async (): Promise<string | undefined> => (await relay.texts.next()).value as string | undefined
  return { host, listeners, opened, next, wake, end: () => relay.close() }
}

it('continues from the last event when its socket says that there is more, and gives signs of life until then', async () => {
  const { host, opened, next, wake } = setUp(kept(0) + kept(1), kept(2))
  expect(await next()).toBe(kept(0) + kept(1))
  const beat = next()
  await host.advance(1_000)
  expect(await beat).toBe(':\n\n')

  const more = next()
  await Promise.resolve()
  wake({ type: 'more' })
  expect(await more).toBe(kept(2))
  expect(opened).toEqual([{ next: 2, at: 1 }])
})

it('tells what a client is to do while the run settles', async () => {
  const { next, wake, end } = setUp(kept(0))
  await next()
  const call = next()
  await new Promise((resolve) => setTimeout(resolve))
  wake({ type: 'call', call: { type: 'abort', call: 'a' } })

  expect(await call).toBe('event: call\ndata: {"type":"abort","call":"a"}\n\n')
  end()
})

it('looks again when the socket is lost', async () => {
  const { listeners, opened, next } = setUp(kept(0), kept(1))
  await next()
  const more = next()
  await new Promise((resolve) => setTimeout(resolve))
  listeners.close?.({})

  expect(await more).toBe(kept(1))
  expect(opened).toHaveLength(1)
})

it('opens one more stream if the socket says that there is more before the last one is open', async () => {
  const { next, opened, wake, end } = setUp(kept(0), '', kept(1))
  await next()
  const more = next()
  await new Promise((resolve) => setTimeout(resolve))
  wake({ type: 'more' })
  while (opened.length === 0) await Promise.resolve()
  wake({ type: 'more' })
  await new Promise((resolve) => setTimeout(resolve))
  end()

  expect(await more).toBe(kept(1))
})

it('ends with its reader', async () => {
  const { next, end } = setUp(kept(0))
  await next()
  const more = next()
  await new Promise((resolve) => setTimeout(resolve))
  end()

  expect(await more).toBeUndefined()
})

it('leaves no stream of the run open when its reader is gone, however early', async () => {
  const left: string[] = []
  const stream = (name: string) => new ReadableStream<Uint8Array>({ cancel: () => void left.push(name) })
  const ended = new Response(kept(0)).body as ReadableStream<Uint8Array>
  let bring = (_: ReadableStream<Uint8Array>): void => {}
  const relayOf = (first: ReadableStream<Uint8Array>) =>
    new EventRelay(
      first,
      { next: 0, at: undefined },
      {
        host: manualHost(),
        heartbeatMs: 1_000,
        follows: true,
        openEvents: () => new Promise((resolve) => (bring = resolve)),
        openWakeSocket: async () => ({
          accept() {},
          close() {},
          addEventListener: (type, listener) => void (type === 'message' && listener({ data: '{"type":"more"}' })),
        }),
      },
    )
  relayOf(stream('before it was read')).close()

  const relay = relayOf(ended)
  await relay.texts.next()
  const more = relay.texts.next()
  await new Promise((resolve) => setTimeout(resolve))
  relay.close()
  bring(stream('while it was opened'))

  expect((await more).done).toBe(true)
  expect(left).toEqual(['before it was read', 'while it was opened'])
})
