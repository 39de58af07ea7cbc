import { useChat } from '@ai-sdk/react'
import {
  type ChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses as isAnswered,
  isToolUIPart,
  type UIMessage,
} from 'ai'
import { useState } from 'react'

interface ChatProps {
  readonly id: string
  readonly transport: ChatTransport<UIMessage>
  readonly messages: UIMessage[]
}

/** A chat as the documentation of the AI SDK has it: nothing in it knows what is behind the transport. */
export function Chat({ id, transport, messages: initial }: ChatProps) {
  const chat = useChat({ id, transport, messages: initial, resume: true, sendAutomaticallyWhen: isAnswered })
  const { messages, sendMessage, addToolApprovalResponse, status, stop, error } = chat
  const [text, setText] = useState('')
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <article key={id} aria-label={role}>
          {parts.map((part, index) => {
            const key = `${id}-${index}`
            if (part.type === 'text') return <p key={key}>{part.text}</p>
            if (part.type === 'reasoning') return <em key={key}>{part.text}</em>
            if (!isToolUIPart(part)) return null
            return (
              <section key={key} aria-label={part.type}>
                <b>{`${part.state}${part.state === 'output-available' && part.preliminary ? ' (so far)' : ''}`}</b>{' '}
                <code>{JSON.stringify(part.output ?? part.input)}</code>
                {part.state === 'approval-requested' &&
                  [true, false].map((approved) => (
                    <button
                      key={String(approved)}
                      type="button"
                      onClick={() => addToolApprovalResponse({ id: part.approval.id, approved })}
                    >
                      {approved ? 'Allow' : 'Deny'}
                    </button>
                  ))}
              </section>
            )
          })}
        </article>
      ))}
      <p role="status">{status}</p>
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void sendMessage({ text })
          setText('')
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send</button>
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </>
  )
}
