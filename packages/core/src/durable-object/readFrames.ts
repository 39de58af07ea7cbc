/** Where somebody is in a log. */
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
  /** How far the kept events go that are in it. */
  readonly last: ReadTo | undefined
  /** It says that the run is gone. */
  readonly isGone: boolean
}

export function readFrames(stream: ReadableStream<Uint8Array>): FrameReader {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  async function* read(): AsyncGenerator<FrameText, void> {
    for (let rest = ''; ; ) {
      const { done, value } = await reader.read()
      if (done) return
      const text = rest + decoder.decode(value, { stream: true })
      // Of a frame that is cut off nothing is told: what was in it comes again.
      const end = text.lastIndexOf('\n\n') + 2
      rest = text.slice(end)
      if (end > 1) yield look(text.slice(0, end))
      else rest = text
    }
  }
  return { texts: read(), cancel: () => void reader.cancel().catch(() => {}) }
}

function look(text: string): FrameText {
  const begin = text.startsWith('id: ') ? 0 : undefined
  const found = text.lastIndexOf('\n\nid: ')
  const place = found < 0 ? begin : found + 2
  const isGone = text.startsWith('event: gone\n') || text.includes('\n\nevent: gone\n')
  return { text, last: place === undefined ? undefined : readTo(text.slice(place)), isGone }
}

function readTo(frame: string): ReadTo | undefined {
  const [, id, json = ''] = /^id: (\d+)\ndata: (.*)\n/.exec(frame) ?? []
  return id === undefined ? undefined : { next: Number(id) + 1, at: (JSON.parse(json) as { at: number }).at }
}
