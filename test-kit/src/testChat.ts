import type { RunUIMessage } from '@interleave/ai-sdk'
import { AbstractChat, type ChatInit, type ChatState, type ChatStatus } from 'ai'

export type TestChat = AbstractChat<RunUIMessage>

/** The chat of the AI SDK that `useChat` is made of, without React. */
export function testChat({ messages = [], ...init }: ChatInit<RunUIMessage>): TestChat {
  // Abstract, and nothing is missing but a state.
  const Chat: new (init: ChatInit<RunUIMessage> & { state: ChatState<RunUIMessage> }) => TestChat =
    class extends AbstractChat<RunUIMessage> {}
  return new Chat({ ...init, state: createState(messages) })
}

function createState(messages: RunUIMessage[]): ChatState<RunUIMessage> {
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
