import { AgentError } from '@interleave/core'

/** One server-sent event. `name` is "message" if it has none. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
  /** The event's own id, for the header `last-event-id`. */
  readonly id?: string
  /** Milliseconds after which a client should connect again. */
  readonly retryMs?: number
}

const longestEvent = 2 ** 26
const blockEnd = /\r\n\r\n|\n\n|\r\r/

/** Reads server-sent events as the HTML standard defines them. Comments are heartbeats: they only call `onBytes`. */
export async function* readServerEvents(
  bytes: ReadableStream<Uint8Array>,
  onBytes: () => void,
  longest: number = longestEvent,
): AsyncGenerator<ServerEvent, void> {
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  const unfinished = new UnfinishedText(blockEnd, 4)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const blocks = unfinished.addChunk(decoder.decode(value, { stream: true }))?.split(blockEnd) ?? []
      const rest = blocks.pop()
      if (rest !== undefined) unfinished.restart(rest)
      if (unfinished.length > longest) throw tooLarge(longest)
      for (const block of blocks) {
        const event = readBlock(block)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const tooLarge = (longest: number): AgentError =>
  new AgentError('too_large', `The server sent an event of more than ${longest} characters, which is the maximum.`, {
    retryable: true,
  })

function readBlock(block: string): ServerEvent | undefined {
  let name = 'message'
  const data: string[] = []
  const position: { id?: string; retryMs?: number } = {}
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    if (field === 'id') position.id = value
    if (field === 'retry' && /^\d+$/.test(value)) position.retryMs = Number(value)
  }
  return data.length > 0 ? { name, data: data.join('\n'), ...position } : undefined
}

/** Text that arrives in chunks until it contains an end marker, of at most `longest` characters. Each chunk is scanned once. */
export class UnfinishedText {
  length = 0
  readonly #end: RegExp
  readonly #longest: number
  #chunks: string[] = []
  /** Enough of the last chunk to find an end marker that began in it. */
  #seam = ''

  constructor(end: RegExp, longest: number) {
    this.#end = end
    this.#longest = longest
  }

  /** Adds a chunk. Returns the whole text once it contains an end. The caller then passes the text after it to `restart`. */
  addChunk(chunk: string): string | undefined {
    const isOver = this.#end.test(this.#seam + chunk)
    this.#chunks.push(chunk)
    this.length += chunk.length
    this.#seam = (this.#seam + chunk).slice(1 - this.#longest)
    return isOver ? this.#chunks.join('') : undefined
  }

  restart(rest: string): void {
    this.#chunks = [rest]
    this.length = rest.length
    this.#seam = rest.slice(1 - this.#longest)
  }
}
