import { createUnfinished } from '@interleave/core/internal'

/** A position in a log. */
export interface ReadTo {
  /** The `seq` of the next event. */
  readonly next: number
  /** When the one before was. */
  readonly at: number | undefined
}

/** Whole frames of a stream of server-sent events, as they are. */
export interface FrameReader {
  readonly texts: AsyncGenerator<FrameText, void>
  cancel(): void
}

export interface FrameText {
  readonly text: string
  /** The frame of its last durable event. */
  readonly last: string | undefined
  /** It says that the run is gone. */
  readonly isGone: boolean
}

export function readFrames(stream: ReadableStream<Uint8Array>): FrameReader {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const unfinished = createUnfinished(/\n\n/, 2)
  async function* read(): AsyncGenerator<FrameText, void> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Of a frame that is cut off nothing is told: what was in it comes again.
      const text = unfinished.add(decoder.decode(value, { stream: true }))
      if (text === undefined) continue
      const end = text.lastIndexOf('\n\n') + 2
      unfinished.keep(text.slice(end))
      yield look(text.slice(0, end))
    }
  }
  return { texts: read(), cancel: () => void reader.cancel().catch(() => {}) }
}

function look(text: string): FrameText {
  const begin = text.startsWith('id: ') ? 0 : undefined
  const found = text.lastIndexOf('\n\nid: ')
  const place = found < 0 ? begin : found + 2
  const isGone = text.startsWith('event: gone\n') || text.includes('\n\nevent: gone\n')
  return { text, last: place === undefined ? undefined : text.slice(place), isGone }
}

/** Returns the position after this frame. */
export function readTo(frame: string): ReadTo {
  const [, json = '{}'] = /^id: \d+\ndata: (.*)\n/.exec(frame) ?? []
  const { seq, at } = JSON.parse(json) as { readonly seq: number; readonly at: number }
  return { next: seq + 1, at }
}
