import { AgentError } from '@interleave/core'
import { createUnfinished } from '@interleave/core/internal'

/** One server-sent event. `name` is "message" where it has none. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** The maximum characters of one event. */
const longestEvent = 2 ** 26
const blockEnd = /\r\n\r\n|\n\n|\r\r/

/** Reads server-sent events as the HTML standard defines them. `onBytes` is the heartbeat: it also gets comments. */
export async function* readServerEvents(
  bytes: ReadableStream<Uint8Array>,
  onBytes: () => void,
  longest: number = longestEvent,
): AsyncGenerator<ServerEvent, void> {
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  const unfinished = createUnfinished(blockEnd, 4)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const blocks = unfinished.add(decoder.decode(value, { stream: true }))?.split(blockEnd) ?? []
      const rest = blocks.pop()
      if (rest !== undefined) unfinished.keep(rest)
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
  new AgentError('too_large', `The server sends an event of more than ${longest} characters, which are too many.`, {
    retryable: true,
  })

function readBlock(block: string): ServerEvent | undefined {
  let name = 'message'
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
  return data.length > 0 ? { name, data: data.join('\n') } : undefined
}
