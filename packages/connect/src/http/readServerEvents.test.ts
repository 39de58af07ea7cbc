import { collect } from '@interleave/test-kit/collect'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readServerEvents } from './readServerEvents.ts'

const stream = (text: string, sizes: readonly number[] = [text.length]): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let count = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const size = sizes[count++ % sizes.length] || 1
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}
const read = (bytes: ReadableStream<Uint8Array>) => collect(readServerEvents(bytes, () => {}))

it('reads names, ids, data of several lines, comments, and line ends of all kinds', async () => {
  const text =
    ':\n\ndata: a\n\nevent: live\r\ndata: b\r\ndata:c\r\n\r\nid: 3\rretry: 2000\rdata\r\r: x\nretry: soon\ndata:  d\n\n'

  expect(await read(stream(text))).toEqual([
    { name: 'message', data: 'a' },
    { name: 'live', data: 'b\nc' },
    { name: 'message', data: '', id: '3', retryMs: 2_000 },
    { name: 'message', data: ' d' },
  ])
})

it('takes what is cut off at the end for no event', async () => {
  expect(await read(stream('data: a\n\ndata: b\n'))).toEqual([{ name: 'message', data: 'a' }])
})

it('reads the same whatever the chunks are in which it comes', async () => {
  const text = 'event: live\ndata: {"text":"Grüße 🦉"}\n\n:\n\nid: 1\ndata: {}\n\n'
  const whole = await read(stream(text))

  const law = async (sizes: number[]) => {
    expect(await read(stream(text, sizes))).toEqual(whole)
  }
  await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), law), { numRuns: 200 })
})

it('reports every sign of life', async () => {
  let signs = 0

  for await (const _ of readServerEvents(stream(':\n\n:\n\n', [3]), () => signs++));

  expect(signs).toBe(2)
})

it('reads an event of many megabytes, each chunk of it once', async () => {
  const data = 'a'.repeat(32_000_000)

  const [event] = await read(stream(`data: ${data}\n\n`, [16_384]))

  expect(event?.data.length).toBe(data.length)
})
