import { Brain } from 'lucide-react'
import { memo } from 'react'
import { Markdown } from '../parts/Markdown.tsx'
import { RulesBadge } from '../parts/RulesBadge.tsx'
import { duration } from '../parts/wording.ts'
import type { Message, ModelMessage, ThoughtMessage } from '../run/messages.ts'
import { CallView } from './CallView.tsx'
import { Clock } from './Clock.tsx'
import { QuestionView } from './QuestionView.tsx'
import { RestView } from './RestView.tsx'
import { UserMessageView } from './UserMessageView.tsx'

export interface MessageViewProps {
  readonly message: Message
  readonly isHeard: boolean
}

/** One message of the conversation. It is drawn anew only when something of it changes. */
export const MessageView = memo(
  function MessageView({ message, isHeard }: MessageViewProps) {
    switch (message.type) {
      case 'user':
        return <UserMessageView message={message} isHeard={isHeard} />
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
      case 'rest':
        return <RestView signal={message.signal} />
    }
  },
  (before, after) => before.isHeard === after.isHeard && isSame(before.message, after.message),
)

const modelName = ({ provider, modelId }: ModelMessage): string =>
  provider === 'demo' ? 'the demo planner' : provider === 'browser' ? 'the built-in model' : modelId

/** Returns whether two messages look the same: what they hold is of the log, and the same object as long as it says the same. */
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
