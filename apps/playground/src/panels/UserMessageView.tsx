import { SendingNote } from '@interleave/react'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { count } from '../parts/wording.ts'
import type { UserMessage } from '../run/messages.ts'
import { useShown } from '../run/usePlayground.ts'
import { Clock } from './Clock.tsx'
import { ForkButton } from './ForkButton.tsx'

export interface UserMessageViewProps {
  readonly message: UserMessage
  readonly isHeard: boolean
}

/** A message of the user. Edited, it starts a new run from what was before; this one stays. */
export function UserMessageView({ message, isHeard }: UserMessageViewProps) {
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
          {state === 'sending' ? <Sending message={message} /> : !isHeard && <small>Heard at the next turn</small>}{' '}
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
