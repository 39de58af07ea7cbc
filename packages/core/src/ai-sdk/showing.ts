import { type ChatItem, isAnswer } from './chatItems.ts'
import type { Chat } from './createChat.ts'
import type { MessageView } from './messageView.ts'

/** Which answer of a chat a stream tells, as far as there is one. */
export type Showing = (chat: Chat) => Shown | undefined
export interface Shown {
  readonly view: MessageView
  /** Another one has begun, which is told in a stream of its own. */
  readonly isPast: boolean
}

/** The one at hand. */
export const latestAnswer: Showing = ({ items }) => {
  const view = items.findLast(isAnswer)
  return view && { view, isPast: false }
}

/** The one to a message of the user. */
export const answerTo =
  (id: string): Showing =>
  ({ items }) => {
    const asked = items.findIndex((item) => isUsers(item, id))
    const [view, next] = asked < 0 ? [] : items.slice(asked).filter(isAnswer)
    return view && { view, isPast: next !== undefined }
  }

const isUsers = (item: ChatItem, id: string): boolean => item.role === 'user' && item.id === id

/**
 * One that the chat goes on with. Answers that follow it and that the chat does not know are told as a part of it: a chat
 * has one stream for one message.
 */
export const goneOn =
  (id: string, known: ReadonlySet<string>): Showing =>
  ({ items }) => {
    const answers = items.filter(isAnswer)
    const [answer, ...later] = answers.slice(answers.findIndex((each) => each.id === id))
    if (!answer) return undefined
    const own = later.filter((other) => !known.has(other.id))
    return { view: own.reduce(joined, answer), isPast: own.length < later.length }
  }

const joined = (a: MessageView, b: MessageView): MessageView => ({
  ...a,
  steps: [...a.steps, ...b.steps],
  rest: b.rest,
})
