import { Pencil } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { UserMessage } from '../run/messages.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'

export interface UserMessageViewProps {
  readonly message: UserMessage
  readonly conversation: Conversation
  readonly isHeard: boolean
}

/** What the user said. Said differently, it makes a new run of what was before; this one stays. */
export function UserMessageView({ message, conversation, isHeard }: UserMessageViewProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Rewording message={message} conversation={conversation} onDone={() => setOpen(false)} />
  return (
    <>
      <button
        type="button"
        className="icon-button reword"
        aria-label={`Say “${message.text}” differently`}
        onClick={() => setOpen(true)}
      >
        <Pencil aria-hidden />
      </button>
      <div className="bubble">
        <span className="visually-hidden">You: </span>
        <p>{message.text}</p>
        {!isHeard && <small>Heard at the next turn</small>}
      </div>
    </>
  )
}

type RewordingProps = Pick<UserMessageViewProps, 'message' | 'conversation'> & { readonly onDone: () => void }

function Rewording({ message, conversation, onDone }: RewordingProps) {
  const { fork } = usePlayground()
  const [text, write] = useState(message.text)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!text.trim()) return
    onDone()
    void fork(conversation, { at: message.seq, edit: { content: text.trim() } })
  }
  const cancelOnEscape = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') onDone()
  }
  return (
    <form className="rewording" onSubmit={submit} onKeyDown={cancelOnEscape}>
      {/* biome-ignore lint/a11y/noAutofocus: it was asked for by a click right here. */}
      <textarea aria-label="Say it differently" value={text} autoFocus onChange={({ target }) => write(target.value)} />
      <div>
        <small>Begins a new run from here. This one stays.</small>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={!text.trim()}>
          Go on from here
        </button>
      </div>
    </form>
  )
}
