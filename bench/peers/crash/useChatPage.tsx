import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { call, pay } from '../../crash/programs/call.ts'
import { told } from '../../crash/programs/toldByAddress.ts'

const { store: api } = told
/** The server's messages of the chat, as the guide to persistence loads them. */
const stored = (await (await fetch(`${api}/${told.run}`)).json()) as UIMessage[]

/** A chat whose tool is executed in the page, as the guide to tools has it. */
function Payer() {
  const { messages, status, sendMessage, regenerate, addToolOutput } = useChat({
    id: told.run,
    messages: stored,
    transport: new DefaultChatTransport({ api }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    async onToolCall({ toolCall }) {
      const output = await pay(told, (toolCall.input as { amount: number }).amount, toolCall.toolCallId)
      void addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output })
    },
  })
  // A user who finds no answer asks for it again.
  useEffect(() => {
    if (stored.length === 0) void sendMessage({ text: told.run })
    else if (!hasAnswer(stored)) void regenerate()
  }, [sendMessage, regenerate])
  useEffect(() => {
    if (status === 'ready' && hasAnswer(messages)) void call(told, '/done', { amounts: amountsOf(messages) })
  }, [status, messages])
  return null
}

const hasAnswer = (messages: readonly UIMessage[]): boolean =>
  messages.at(-1)?.role === 'assistant' && messages.at(-1)?.parts.at(-1)?.type === 'text'

const amountsOf = (messages: readonly UIMessage[]): readonly number[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-pay' && 'input' in part ? [(part.input as { amount: number }).amount] : [],
    ),
  )

createRoot(document.body.appendChild(document.createElement('div'))).render(<Payer />)
