import { useSignal } from '@interleave/react'
import { Check, CircleAlert, Hourglass, LoaderCircle } from 'lucide-react'
import { Markdown } from '../parts/Markdown.tsx'
import { RulesBadge } from '../parts/RulesBadge.tsx'
import type { CallMessage, Message, RestMessage } from '../run/messages.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents } from '../run/usePlayground.ts'
import { FailedView } from './FailedView.tsx'
import { QuestionView } from './QuestionView.tsx'
import { toolWords } from './toolWords.ts'
import { UserMessageView } from './UserMessageView.tsx'

export interface MessageViewProps {
  readonly message: Message
  readonly conversation: Conversation
  readonly isHeard: boolean
}

/** One message of the conversation. */
export function MessageView({ message, conversation, isHeard }: MessageViewProps) {
  switch (message.type) {
    case 'user':
      return <UserMessageView message={message} conversation={conversation} isHeard={isHeard} />
    case 'text':
      return (
        <>
          <Markdown>{message.text}</Markdown>
          {message.isAnswer && message.isRules && <RulesBadge />}
        </>
      )
    case 'call':
      return <CallView call={message} />
    case 'question':
      return <QuestionView question={message} />
    case 'rest':
      return <RestView signal={message.signal} conversation={conversation} />
  }
}

const callIcons = {
  'under way': LoaderCircle,
  'waits for you': Hourglass,
  done: Check,
  failed: CircleAlert,
} as const

function CallView({ call: { tool, state, error } }: { call: CallMessage }) {
  const Icon = callIcons[state]
  return (
    <p className="call" data-state={state}>
      <Icon aria-hidden /> {toolWords(tool)} <span className="visually-hidden">{state}</span>
      {error && <span className="call-error">{error.message}</span>}
    </p>
  )
}

interface RestViewProps {
  readonly signal: RestMessage['signal']
  readonly conversation: Conversation
}

/** Only the rest that the run is in now can be left. */
function RestView({ signal, conversation }: RestViewProps) {
  const { run } = conversation
  const last = useEvents(conversation).findLast(({ type }) => type === 'rested')
  const isNow = useSignal(run) !== undefined && last?.type === 'rested' && last.signal === signal
  if (signal.type === 'failed') return <FailedView failure={signal.error} conversation={conversation} isNow={isNow} />
  return (
    <div className="stopped">
      <p>{signal.reason}</p>
      {isNow && (
        <button type="button" className="button" onClick={() => run.resume()}>
          Resume
        </button>
      )}
    </div>
  )
}
