import type { KeyboardEvent, ReactNode } from 'react'

export interface AskFormProps {
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

export interface ActionsProps {
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
