import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { StepWriter } from './stepWriter.ts'
import type { StepItem, TranscriptItem } from './transcript.ts'

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart

export interface Chat {
  readonly messages: readonly LanguageModelV4Message[]
  /** The number of the model's next step. */
  readonly next: number
}

export interface ChatOptions {
  readonly writer: StepWriter
  /** A requirement for the next step, in words. */
  readonly demand?: string | undefined
}

/** Returns a transcript as a conversation in turns: steps are the assistant's, observations and messages are the user's. */
export function toChat(items: readonly TranscriptItem[], { writer, demand }: ChatOptions): Chat {
  const messages: LanguageModelV4Message[] = []
  let number = 0
  let afterObservation = false

  const say = (parts: readonly UserPart[]): void => {
    const last = messages.at(-1)
    if (last?.role === 'user') last.content = joinTexts([...last.content, ...parts])
    else messages.push({ role: 'user', content: joinTexts(parts) })
  }
  const write = (step: StepItem): void => {
    const text = writer.step(step, ++number)
    const last = messages.at(-1)
    // A conversation may begin in the middle, or after an answer without a reply.
    if (last?.role !== 'user') say([continuePart])
    messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  }
  /** Writes a step in a format in which a thought is a step of its own, and the action is the next. */
  const writeApart = (step: StepItem): void => {
    const { thought, ...rest } = step
    const isApart = writer.writing.thinksApart === true && thought !== undefined
    if (isApart) {
      write({ type: 'step', thought })
      say([{ type: 'text', text: writer.observation(noted, number) }])
    }
    if (!isApart || (rest.action ?? rest.answer) !== undefined) write(isApart ? rest : step)
  }

  for (const item of items) {
    if (item.type === 'user') say(afterObservation ? [userHeading, ...item.content] : item.content)
    else if (item.type === 'observation') {
      say([{ type: 'text', text: writer.observation(item.text, number) }, ...item.files])
    } else writeApart(item)
    afterObservation = item.type === 'observation' || (afterObservation && item.type === 'user')
  }
  if (demand !== undefined) say([{ type: 'text', text: demand }])
  else if (messages.at(-1)?.role !== 'user') say([continuePart])
  return { messages, next: number + 1 }
}

const continuePart: UserPart = { type: 'text', text: 'Go on.' }
const userHeading: UserPart = { type: 'text', text: 'Message from the user:' }

/** The reply to a separate thought. */
export const noted = 'OK.'

/** Joins texts, since some servers accept only one per message. */
function joinTexts(parts: readonly UserPart[]): UserPart[] {
  const joined: UserPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` }
    } else joined.push(part)
  }
  return joined
}
