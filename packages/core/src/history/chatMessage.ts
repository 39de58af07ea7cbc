import type { Failure } from '../error.ts'
import { cached, type Json } from '../json.ts'
import { messageText, type UserContent } from '../part.ts'
import type { Ask } from '../question.ts'
import type { EventOf } from '../run.ts'
import type { FailedSignal, StoppedSignal } from '../signal.ts'
import type { ModelId } from '../usage.ts'
import type { CallMessage, Placed } from './callMessage.ts'
import { joined } from './scratchpad.ts'

/** One entry of a chat, the same object while nothing in it changes. `ChatMessage<typeof guide>` types its calls. */
export type ChatMessage<Of = unknown> = UserMessage | TextMessage | CallMessage<Of> | QuestionMessage | RestMessage

export interface UserMessage extends Placed {
  readonly type: 'user'
  readonly content: UserContent
  /** Its text. */
  readonly text: string
  /** The `seq` of its event, as for a fork; -1 while it is `sending`. */
  readonly seq: number
  /** True if it is in the prompt of a turn, which may still stream. */
  readonly isHeard: boolean
  /** `sending`: it was said in this page, and its host does not have it yet. */
  readonly state: 'sending' | 'sent'
  /** The sender's key, while it is `sending`. */
  readonly sendKey?: string
}
/** A model's text in one turn, or the answer of a run that no model wrote. */
export interface TextMessage extends Placed {
  readonly type: 'text'
  readonly text: string
  readonly reasoning: string
  readonly isStreaming: boolean
  readonly isAnswer: boolean
  readonly model?: ModelId
  /** Duration of the model call, in milliseconds. */
  readonly ms?: number
  /** Why the turn was cut off. */
  readonly error?: Failure
}
/** A question for a user, open or not. */
export interface QuestionMessage extends Placed {
  readonly type: 'question'
  readonly ask: Ask
  readonly isOpen: boolean
  /** The reply. Absent too if the question needs no answer any more. */
  readonly reply?: Json
  /** The `seq` of the reply, as for a fork. */
  readonly seq?: number
}
/** The end of the work without an answer. */
export interface RestMessage extends Placed {
  readonly type: 'rest'
  readonly signal: FailedSignal | StoppedSignal
  /** The reason of the failure. */
  readonly error?: Failure
}

/** Returns the text of a turn, if there is any. */
export function textMessages(turn: EventOf<'thought'>): readonly TextMessage[] {
  const { iteration, at, parts, model, ms, error } = turn
  const [text, reasoning] = [joined({ parts }, 'text'), joined({ parts }, 'reasoning')]
  if (!text.trim() && !reasoning.trim()) return []
  const key = textKey(iteration)
  const cut = error && { error }
  return [{ type: 'text', key, at, text, reasoning, isStreaming: false, isAnswer: false, model, ms, ...cut }]
}

/** Returns the key of a text message, which is the same while it streams and afterwards. */
export const textKey = (iteration: number): string => `${iteration}/text`

/** Returns the messages of an earlier conversation. */
export const seededMessages = ({ seq, messages }: EventOf<'seeded'>): readonly ChatMessage[] =>
  messages.flatMap((message, index): ChatMessage[] => {
    const place = { key: `seeded/${seq}/${index}`, at: 0 }
    if (message.role === 'user') {
      const text = messageText(message.content)
      return [{ type: 'user', ...place, seq, content: message.content, text, isHeard: true, state: 'sent' }]
    }
    if (message.role !== 'assistant') return []
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return text.trim() ? [{ type: 'text', ...place, text, reasoning: '', isStreaming: false, isAnswer: false }] : []
  })

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

/** Returns a message that is in the prompt of a turn: the same object while the turn streams and afterwards. */
export const consumed = (message: UserMessage): UserMessage =>
  cached(consumedOf, message, () => ({ ...message, isHeard: true }))
