import type { Ask, ReplyTo } from '@interleave/core'
import type { ComponentType, KeyboardEvent, ReactNode } from 'react'

type AskKind = Ask['kind']
export type AskOf<Kind extends AskKind> = Extract<Ask, { readonly kind: Kind }>

/** The props of a component for one kind of question. It renders a form inside the existing dialog. */
export interface AskProps<Kind extends AskKind = AskKind> {
  readonly ask: AskOf<Kind>
  /** The id of the heading that shows the prompt, for `aria-labelledby`. */
  readonly titleId: string
  /** Sends the reply. Never rejects: what is wrong with it is shown below the form, and nothing typed is lost. */
  readonly reply: (value: ReplyTo<AskOf<Kind>>) => Promise<void>
  /** Shows what is wrong before anything is sent. */
  readonly complain: (message: string) => void
  readonly isSending: boolean
}

/** Own components by kind of question, in place of the built-in ones. */
export type AskComponents = { readonly [Kind in AskKind]?: ComponentType<AskProps<Kind>> }

interface AskFormProps {
  readonly kind: string
  readonly isSending: boolean
  readonly onSubmit: (data: FormData) => void
  readonly children: ReactNode
}

/** The form of a question. Its fields keep what was typed by themselves; it is read when it is sent. */
export function AskForm({ kind, isSending, onSubmit, children }: AskFormProps): ReactNode {
  return (
    <form
      data-interleave="form"
      data-kind={kind}
      aria-busy={isSending}
      onKeyDown={sendWithEnter}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {children}
    </form>
  )
}

/** In a field of several lines Enter begins a new one. */
function sendWithEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}

interface ActionsProps {
  readonly children: ReactNode
}

/** The buttons below a form. */
export const Actions = ({ children }: ActionsProps): ReactNode => <div data-interleave="actions">{children}</div>

/** The button that sends a form. */
export const SendButton = ({ label = 'Reply' }: { readonly label?: string }): ReactNode => (
  <button type="submit" data-interleave="send">
    {label}
  </button>
)
