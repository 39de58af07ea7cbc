import { collect } from '@interleave/test-kit/collect'
import { expect, it } from 'vitest'
import { type FrameText, positionAfter, readFrames } from './relayEvents.ts'

/** Returns the frames of a text that arrives in chunks of this many bytes. */
async function read(text: string, size: number): Promise<readonly FrameText[]> {
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size))
      controller.close()
    },
  })
  return collect(readFrames(stream).texts)
}

const kept = (seq: number): string => `id: ${seq}\ndata: {"seq":${seq},"at":${seq * 100},"type":"é😀 id: 9"}\n\n`
const story = `event: hello\ndata: {}\n\n${kept(0)}${kept(1)}:\n\nevent: live\ndata: []\n\n${kept(2)}:\n\n`

it.each([1, 2, 7, 50, 10_000])('hands on whole frames, and knows how far they go, in chunks of %i', async (size) => {
  const texts = await read(story, size)

  expect(texts.map(({ text }) => text).join('')).toBe(story)
  expect(texts.every(({ text }) => text.endsWith('\n\n'))).toBe(true)
  expect(positionAfter(texts.findLast(({ last }) => last)?.last ?? '')).toEqual({ next: 3, at: 200 })
})

it('hands on nothing of a frame that is cut off', async () => {
  const texts = await read(`${kept(0)}${kept(1).slice(0, -1)}`, 20)

  expect(texts.map(({ text }) => text)).toEqual([kept(0)])
})

it('notices that the run is gone', async () => {
  const [last] = (await read(`${kept(0)}event: gone\ndata: {}\n\n`, 10_000)).slice(-1)

  expect(last).toMatchObject({ isGone: true })
})
