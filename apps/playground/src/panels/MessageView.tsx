import { SendingNote } from '@interleave/react'
import { Brain, Pencil } from 'lucide-react'
import { memo, useState } from 'react'
import { Markdown } from '../parts/Markdown.tsx'
import { count, duration } from '../parts/wording.ts'
import type { Message, ModelMessage, ThoughtMessage, UserMessage } from '../run/messages.ts'
import { useShown } from '../run/usePlayground.ts'
import { CallView } from './CallView.tsx'
import { ForkButton } from './ForkButton.tsx'
import { QuestionView } from './QuestionView.tsx'
import { SettledView } from './SettledView.tsx'

/** Marks what the demo planner says, so that its rules are not taken for a model. */
const RulesBadge = () => <span className="badge rules">rules, no AI</span>

export interface MessageViewProps {
  readonly message: Message
  readonly isReceived: boolean
}

/** One message of the conversation. It is rendered again only if it changes. */
export const MessageView = memo(
  function MessageView({ message, isReceived }: MessageViewProps) {
    switch (message.type) {
      case 'user':
        return <UserMessageView message={message} isReceived={isReceived} />
      case 'thought':
        return <ThoughtView thought={message} />
      case 'text':
        return (
          <>
            <Markdown>{message.text}</Markdown>
            {message.isAnswer && (
              <p className="message-foot">
                {message.isRules && <RulesBadge />} <Clock at={message.at} />
              </p>
            )}
          </>
        )
      case 'call':
        return <CallView call={message} />
      case 'question':
        return <QuestionView question={message} />
      case 'model':
        return <p className="model-change">Continued with {modelName(message)}</p>
      case 'settled':
        return <SettledView signal={message.signal} />
    }
  },
  (before, after) => before.isReceived === after.isReceived && isSame(before.message, after.message),
)

const modelName = ({ provider, modelId }: ModelMessage): string =>
  provider === 'demo' ? 'the demo planner' : provider === 'browser' ? 'the built-in model' : modelId

/** Returns true if two messages look the same. Their members are objects of the log, which keep their identity. */
export function isSame(a: Message, b: Message): boolean {
  if (a === b) return true
  const [before, after] = [Object.entries(a), new Map(Object.entries(b))]
  return before.length === after.size && before.every(([name, value]) => after.get(name) === value)
}

/** The model's reasoning, folded until a user opens it. */
const ThoughtView = ({ thought: { text, ms } }: { thought: ThoughtMessage }) => (
  <details className="thought-view">
    <summary>
      <Brain aria-hidden /> Thought for {duration(ms)}
    </summary>
    <p>{text}</p>
  </details>
)

interface UserMessageViewProps {
  readonly message: UserMessage
  readonly isReceived: boolean
}

/** Shows a message of the user. Editing it starts a new run from the events before; this one stays. */
function UserMessageView({ message, isReceived }: UserMessageViewProps) {
  const { text, seq, at, state } = message
  return (
    <>
      {state === 'sent' && (
        <ForkButton
          className="reword"
          seq={seq}
          name={`Say “${text.slice(0, 120)}” differently`}
          title="Say it differently, in a new run"
        >
          <Pencil aria-hidden />
        </ForkButton>
      )}
      <div className="bubble">
        <span className="visually-hidden">You: </span>
        <MessageText text={text} />
        <p className="bubble-foot">
          {state === 'sending' ? <Sending message={message} /> : !isReceived && <small>Read at the next turn</small>}{' '}
          <Clock at={at} />
        </p>
      </div>
    </>
  )
}

/** A long message is folded. All of it is in the page, so that a search of the page finds it. */
function MessageText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  if (!isLong(text)) return <p>{text}</p>
  return (
    <>
      <p data-folded={!isOpen}>{text}</p>
      <button type="button" className="button unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${count(text.length)} characters`}
      </button>
    </>
  )
}

const isLong = (text: string): boolean => text.length > 1_200 || text.split('\n', 21).length > 20

const Sending = ({ message }: Pick<UserMessageViewProps, 'message'>) => (
  <SendingNote run={useShown()?.run} message={message} />
)

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** The time of a message. */
const Clock = ({ at }: { at: number }) => (
  <time className="clock" dateTime={new Date(at).toISOString()} title={whole.format(at)}>
    {time.format(at)}
  </time>
)
