import { Pencil } from 'lucide-react'
import type { UserMessage } from '../run/messages.ts'
import { Clock } from './Clock.tsx'
import { ForkButton } from './ForkButton.tsx'

export interface UserMessageViewProps {
  readonly message: UserMessage
  readonly isHeard: boolean
}

/** What the user said. Said differently, it makes a new run of what was before; this one stays. */
export function UserMessageView({ message: { text, seq, at, state }, isHeard }: UserMessageViewProps) {
  return (
    <>
      <ForkButton
        className="reword"
        seq={seq}
        name={`Say “${text}” differently`}
        title="Say it differently, in a new run"
      >
        <Pencil aria-hidden />
      </ForkButton>
      <div className="bubble">
        <span className="visually-hidden">You: </span>
        <p>{text}</p>
        <p className="bubble-foot">
          {state === 'sending' ? <small>Sending …</small> : !isHeard && <small>Heard at the next turn</small>}{' '}
          <Clock at={at} />
        </p>
      </div>
    </>
  )
}
