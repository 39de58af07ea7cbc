import { SendingNote } from '@interleave/react'
import { Pencil } from 'lucide-react'
import type { UserMessage } from '../run/messages.ts'
import { useShown } from '../run/usePlayground.ts'
import { Clock } from './Clock.tsx'
import { ForkButton } from './ForkButton.tsx'

export interface UserMessageViewProps {
  readonly message: UserMessage
  readonly isHeard: boolean
}

/** What the user said. Said differently, it makes a new run of what was before; this one stays. */
export function UserMessageView({ message, isHeard }: UserMessageViewProps) {
  const { text, seq, at, state } = message
  const run = useShown()?.run
  return (
    <>
      {state === 'sent' && (
        <ForkButton
          className="reword"
          seq={seq}
          name={`Say “${text}” differently`}
          title="Say it differently, in a new run"
        >
          <Pencil aria-hidden />
        </ForkButton>
      )}
      <div className="bubble">
        <span className="visually-hidden">You: </span>
        <p>{text}</p>
        <p className="bubble-foot">
          {state === 'sending' ? (
            <SendingNote run={run} message={message} />
          ) : (
            !isHeard && <small>Heard at the next turn</small>
          )}{' '}
          <Clock at={at} />
        </p>
      </div>
    </>
  )
}
