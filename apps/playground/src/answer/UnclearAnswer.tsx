import { UntrustedText } from '@interleave/react'
import type { TypedAnswer } from './useTypedAnswer.ts'
import './unclearAnswer.css'

export interface UnclearAnswerProps {
  readonly typed: TypedAnswer
  /** Called after a choice, since the button that had the focus is gone. */
  readonly onChosen: () => void
}

/** Asks what a text is that was typed while a question waits. */
export function UnclearAnswer({ typed, onChosen }: UnclearAnswerProps) {
  const { unclear, reply, sendAsMessage } = typed
  const choose = (send: () => void) => () => {
    send()
    onChosen()
  }
  if (!unclear) return null
  const { ask, offered, problem, queued } = unclear
  return (
    <fieldset className="unclear-answer" data-queued={queued !== undefined}>
      <p role="alert">
        {queued && 'Your message came before the question. '}
        {problem ?? (offered.length > 0 ? orMessage : noAnswer)}{' '}
        <small>
          A new message closes the question “<UntrustedText limit={200}>{ask.prompt}</UntrustedText>”
        </small>
      </p>
      {offered.map(({ label, reply: value }) => (
        <button key={label} type="button" className="button" onClick={choose(() => reply(unclear, value))}>
          {label}
        </button>
      ))}
      <button type="button" className="button" onClick={choose(() => sendAsMessage(unclear))}>
        Send as a new message
      </button>
    </fieldset>
  )
}

const orMessage = 'Answer with this, or send as a new message?'
const noAnswer = 'This is none of the answers. Pick one above, or send it as a new message?'
