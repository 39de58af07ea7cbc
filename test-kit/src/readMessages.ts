import type { RunUIMessage } from '@interleave/ai-sdk'
import { readUIMessageStream, type UIMessageChunk, uiMessageChunkSchema } from 'ai'

interface Read {
  /** The latest messages. */
  readonly messages: readonly RunUIMessage[]
  readonly errors: readonly string[]
}

/** The messages that a chat of the AI SDK makes of chunks. Each chunk is held against the AI SDK's own schema. */
export async function readMessages(chunks: Iterable<UIMessageChunk> | ReadableStream<UIMessageChunk>): Promise<Read> {
  const messages = new Map<string, RunUIMessage>()
  const errors: string[] = []
  const onError = (error: unknown): void => void errors.push(String(error))
  const stream = (chunks instanceof ReadableStream ? chunks : streamOf(chunks)).pipeThrough(checked())
  for await (const message of readUIMessageStream<RunUIMessage>({ stream, onError })) messages.set(message.id, message)
  return { messages: [...messages.values()], errors }
}

const streamOf = (chunks: Iterable<UIMessageChunk>): ReadableStream<UIMessageChunk> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

function checked(): TransformStream<UIMessageChunk, UIMessageChunk> {
  const schema = uiMessageChunkSchema()
  return new TransformStream({
    async transform(chunk, controller) {
      const text = JSON.stringify(chunk)
      const result = await schema.validate?.(JSON.parse(text))
      if (!result?.success) throw new Error(`The AI SDK does not know ${text}: ${String(result?.error)}`)
      controller.enqueue(chunk)
    },
  })
}
