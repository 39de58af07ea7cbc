import type { AnyEvent } from '@interleave/core/observe'
import type { Chunk } from './blockChunks.ts'
import { isAnswer } from './chatItems.ts'
import { createChat } from './createChat.ts'
import { createMessageChunks, type EndOptions, type MessageChunks } from './messageChunks.ts'

/**
 * Generates the UI message chunks of a run's answers from its events. The same log gives the same chunks. Discarded
 * output, such as half a text of a failed attempt, is taken back.
 */
export function* uiMessageChunks(
  events: Iterable<AnyEvent>,
  options: Pick<EndOptions, 'onError'> = {},
): Generator<Chunk, undefined> {
  const chat = createChat()
  let id: string | undefined
  let chunks: MessageChunks | undefined
  for (const event of events) {
    chat.add(event)
    if (event.type === 'retrying') yield retryingChunk(event)
    const view = chat.items.at(-1)
    if (!view || !isAnswer(view)) continue
    if (view.id !== id) {
      yield* chunks?.end(options) ?? []
      chunks = createMessageChunks()
      id = view.id
    }
    yield* chunks?.to(view) ?? []
  }
  yield* chunks?.end(options) ?? []
}

/** Heard by `onData`, and part of no message. */
export const retryingChunk = ({ attempt, inMs, error }: Extract<AnyEvent, { type: 'retrying' }>): Chunk => ({
  type: 'data-retrying',
  data: { attempt, inMs, message: error.message },
  transient: true,
})
