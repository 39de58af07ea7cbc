import { AbstractChat, type ChatInit, type ChatState, type ChatStatus } from 'ai'
import type { ChatMessage } from '../ai-sdk/chatMessage.ts'

export type TestChat = AbstractChat<ChatMessage>

/** The chat of the AI SDK that `useChat` is made of, without React. */
export function testChat({ messages = [], ...init }: ChatInit<ChatMessage>): TestChat {
  // Abstract, and nothing is missing but a state.
  const Chat: new (init: ChatInit<ChatMessage> & { state: ChatState<ChatMessage> }) => TestChat =
    class extends AbstractChat<ChatMessage> {}
  return new Chat({ ...init, state: createState(messages) })
}

function createState(messages: ChatMessage[]): ChatState<ChatMessage> {
  const status: ChatStatus = 'ready'
  return {
    status,
    error: undefined,
    messages,
    pushMessage(message) {
      this.messages = [...this.messages, structuredClone(message)]
    },
    popMessage() {
      this.messages = this.messages.slice(0, -1)
    },
    replaceMessage(index, message) {
      this.messages = this.messages.with(index, structuredClone(message))
    },
    snapshot: (value) => structuredClone(value),
  }
}
