import type { AgentHandle } from '@interleave/core'
import { userMessageOf } from '@interleave/core/observe'
import { type ChatMessage, SignalOutlet, useConnection, useMessages, useReAct } from '@interleave/react'
import { type ComponentProps, useEffect, useState } from 'react'
import '@interleave/react/styles.css'
import './chat.css'
import type { waiter } from './waiter.ts'

const example = 'A table for four, please.'

export function Chat({ agent }: { agent: AgentHandle<string, NonNullable<(typeof waiter)['toolTypes']>> }) {
  // Each tab remembers its run, so that a reload continues it.
  const [runId, setRunId] = useState<string>()
  useEffect(() => setRunId(sessionStorage.getItem('run') ?? undefined), [])
  const { run, say, stop, reset, isWorking, isAttaching, signal, error } = useReAct(agent, { runId })
  useEffect(() => {
    if (run) sessionStorage.setItem('run', run.id)
  }, [run])
  const messages = useMessages(run)
  // Scrolls down to each new message.
  useEffect(() => void scrollTo(0, document.body.scrollHeight), [messages.length])
  const connection = useConnection(run)
  const [text, setText] = useState('')
  const restart = () => {
    sessionStorage.removeItem('run')
    reset()
  }

  return (
    <main>
      <header>
        <h1>Waiter</h1>
        {(run || error) && <Button onClick={restart}>New chat</Button>}
      </header>
      {messages.map((message) => (
        <Message key={message.key} message={message} />
      ))}
      {!run && !isAttaching && (
        <p>
          A demo model answers, so no key is needed.
          <Button onClick={() => say(example)}>{example}</Button>
        </p>
      )}
      {isAttaching && <p role="status">Opening the chat…</p>}
      {/* Shows questions, and why a run failed. */}
      <SignalOutlet run={run} />
      {error && signal?.type !== 'failed' && <p role="alert">{userMessageOf(error)}</p>}
      {connection?.type === 'waiting' && connection.error && <p role="status">The server does not answer yet …</p>}
      {connection?.type === 'refused' && <p role="status">You are signed out. Sign in again to go on.</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!text.trim()) return
          void say(text)
          setText('')
        }}
      >
        <input
          aria-label="Message"
          placeholder="Your message"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {isWorking ? <Button onClick={() => stop()}>Stop</Button> : <Button type="submit">Send</Button>}
      </form>
    </main>
  )
}

function Button({ type = 'button', ...props }: ComponentProps<'button'>) {
  return <button type={type} {...props} />
}

function Message({ message }: { message: ChatMessage<typeof waiter> }) {
  if (message.type === 'user') return <p className="mine">{message.text}</p>
  if (message.type === 'text') return <p>{message.text}</p>
  return message.type === 'call' ? <p className="note">{`${message.tool}: ${message.state}`}</p> : null
}
