import { Chat, useChat } from '@ai-sdk/react'
import { DirectChatTransport, ToolLoopAgent, type UIMessage } from 'ai'
import { useLayoutEffect } from 'react'
import { Paragraphs } from './Paragraphs.tsx'
import type { ShowingSubject } from './shown.ts'

/** The AI SDK's hook, with its own agent in the same page. */
export const ai: ShowingSubject = chatThrottledBy()

/** The same with the throttle that its documentation shows, in milliseconds. */
export const aiThrottled: ShowingSubject = chatThrottledBy(50)

function chatThrottledBy(throttle?: number): ShowingSubject {
  const options = throttle === undefined ? {} : { throttle }
  return {
    start(model) {
      const chat = new Chat({ transport: new DirectChatTransport({ agent: new ToolLoopAgent({ model }) }) })
      return {
        Text({ onCommit }) {
          const { messages } = useChat({ chat, ...options })
          useLayoutEffect(onCommit)
          return <Paragraphs text={textOf(messages)} />
        },
        Neighbors({ onCommit }) {
          const { status } = useChat({ chat, ...options })
          useLayoutEffect(onCommit)
          return <i>{status}</i>
        },
        finished: chat.sendMessage({ text: 'Go' }).then(() => textOf(chat.messages)),
      }
    },
  }
}

function textOf(messages: readonly UIMessage[]): string {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? last.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
}
