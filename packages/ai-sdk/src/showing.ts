import { isOver } from '@interleave/core/internal'
import type { Chat } from './chat.ts'
import { type ChatItem, isAnswer, type MessageView } from './messageView.ts'
/** Selects the answer of a chat that a stream shows, if there is one. */
export type Showing = (chat: Chat) => Shown | undefined
export interface Shown {
  readonly view: MessageView
  /** True if a newer answer has begun, which has its own stream. */
  readonly isPast: boolean
  /** True if further answers exist already. */
  readonly hasNext?: boolean
  /** True if the chat does not have the message that it answers. */
  readonly isUnknown?: boolean
}

/** The part of a run that a chat has received. */
export interface Position {
  readonly runId: string
  /** The `seq` of the first event that it has not received. */
  readonly seq: number
  /** The number of answers that it has completely. */
  readonly answers: number
}

export function positionOf({ items, state }: Chat): Position {
  const answers = items.filter(isAnswer)
  const rest = answers.at(-1)?.signal?.type
  const isOpen = answers.length > 0 && !isOver(rest)
  return { runId: state.runId, seq: state.seq, answers: answers.length - (isOpen ? 1 : 0) }
}

/** Selects the answers that the chat does not have completely, one after the other. */
export function answersAfter({ runId, seq, answers: from }: Position): Showing {
  let at: number | undefined
  return ({ items }) => {
    const answers = items.filter(isAnswer)
    at = at === undefined ? from : Math.min(at + 1, answers.length - 1)
    const view = answers[at]
    if (!view) {
      at = undefined
      return undefined
    }
    const isUnknown = view.runId !== runId || view.said >= seq
    return { view, isPast: false, hasNext: at < answers.length - 1, isUnknown }
  }
}

/** Selects the current answer. */
export const latestAnswer: Showing = ({ items }) => {
  const view = items.findLast(isAnswer)
  return view && { view, isPast: false }
}

/** Selects the answer to a user message. */
export const answerTo =
  (id: string): Showing =>
  ({ items }) => {
    const asked = items.findIndex((item) => isUsers(item, id))
    const [view, next] = asked < 0 ? [] : items.slice(asked).filter(isAnswer)
    return view && { view, isPast: next !== undefined }
  }

const isUsers = (item: ChatItem, id: string): boolean => item.role === 'user' && item.id === id

/** Streams following answers as part of this one: a chat has one stream per message. */
export const continuedAnswer =
  (id: string, known: ReadonlySet<string>): Showing =>
  ({ items }) => {
    const answers = items.filter(isAnswer)
    const [answer, ...following] = answers.slice(answers.findIndex((each) => each.id === id))
    if (!answer) return undefined
    const own = following.filter((other) => !known.has(other.id))
    return { view: own.reduce(joined, answer), isPast: own.length < following.length }
  }

const joined = (a: MessageView, b: MessageView): MessageView => ({
  ...a,
  steps: [...a.steps, ...b.steps],
  signal: b.signal,
})
