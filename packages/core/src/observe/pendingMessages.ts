import { cached } from '../cached.ts'
import type { ChatMessage, UserMessage } from './chatMessage.ts'

/** The messages of the user that no turn has consumed, newest first, each with its index. */
export function* pendingOf(messages: readonly ChatMessage[]): Generator<readonly [number, UserMessage]> {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message?.type !== 'user') continue
    // A turn that consumes a message consumes those before it too.
    if (message.isHeard) return
    yield [index, message]
  }
}

/** Returns where the first pending message is that comes after a turn, or else where the list ends. */
export function placeBefore(messages: readonly ChatMessage[], isLater: (message: UserMessage) => boolean): number {
  let place = messages.length
  for (const [index, message] of pendingOf(messages)) {
    if (!isLater(message)) return place
    place = index
  }
  return place
}

const consumedOf = new WeakMap<UserMessage, UserMessage>()

/** A message that is in the prompt of a turn: the same object while the turn streams and afterwards. */
export const consumed = (message: UserMessage): UserMessage =>
  cached(consumedOf, message, () => ({ ...message, isHeard: true }))
