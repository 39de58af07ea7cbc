import type { Ask, Declined, ReplyTo, Run } from '@interleave/core'
import type { RunAsk } from '@interleave/core/observe'
import { type ComponentType, type Context, createContext, type KeyboardEvent, type ReactNode, useContext } from 'react'
import { Button } from '../parts.tsx'
import { useSay } from '../words/words.tsx'

export type AskKind = Ask['kind']
export type AskOf<Kind extends AskKind, Of = unknown> = Extract<RunAsk<Of>, { readonly kind: Kind }>

/**
 * The props of a component for one kind of question, with the types of the agent's tools. It renders a form inside the
 * existing dialog.
 */
export type AskProps<Kind extends AskKind = AskKind, Of = unknown> = FormProps<
  AskOf<Kind, Of>,
  ReplyTo<AskOf<Kind, Of>>
>

interface FormProps<OneAsk, Reply> {
  readonly ask: OneAsk
  /** The id of the heading that shows the prompt, for `aria-labelledby`. */
  readonly titleId: string
  /** Sends the reply. Never rejects: the dialog shows the error, and nothing typed is lost. */
  readonly reply: (value: Reply | Declined) => Promise<void>
  /** Shows an error without sending anything. */
  readonly showProblem: (message: string) => void
  readonly isSending: boolean
}

/** Your own components by kind of question, in place of the built-in ones. */
export type AskComponents<Of = unknown> = { readonly [Kind in AskKind]?: ComponentType<AskProps<Kind, Of>> }

interface ShownAsk {
  readonly run?: Run
  readonly kind?: AskKind
  readonly isSending?: boolean
  /** The error of the latest reply; empty if there is none. */
  readonly problem: string
  /** Declines the question, if it can be declined. */
  readonly decline?: ((reply: Declined) => Promise<void>) | undefined
  /** The prompt of the input as the user has edited it, if it is another one than the question's. */
  readonly prompt?: string | undefined
  /** Shows the prompt of an edited input, as the tool words it; undefined for that of the question. */
  readonly showPrompt?: (prompt: string | undefined) => void
}
/** The question that its form and fields belong to. */
export const AskContext: Context<ShownAsk> = createContext<ShownAsk>({ problem: '' })

export interface AskFormProps {
  readonly onSubmit?: (data: FormData) => void
  /** The buttons below the fields; by default, one that submits the form. */
  readonly buttons?: ReactNode
  readonly children?: ReactNode
}

/**
 * Renders the form of a question. Its fields are uncontrolled, so they keep what the user typed; it is read when it is
 * submitted.
 */
export function AskForm({ onSubmit, buttons = <SendButton />, children }: AskFormProps): ReactNode {
  const { kind, isSending } = useContext(AskContext)
  return (
    <form
      data-interleave="form"
      data-kind={kind}
      aria-busy={isSending}
      onKeyDown={submitWithEnter}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.(new FormData(event.currentTarget))
      }}
    >
      {children}
      <div data-interleave="actions">
        <DeclineButton />
        {buttons}
      </div>
    </form>
  )
}

/** Declines the question. Escape and "Answer later" leave it open. */
function DeclineButton(): ReactNode {
  const { decline } = useContext(AskContext)
  const say = useSay()
  return (
    decline && (
      <Button part="declined" onClick={() => void decline({ $reply: 'declined' })}>
        {say('decline')}
      </Button>
    )
  )
}

/** Submits with Ctrl+Enter, since Enter alone starts a new line in a text area. */
function submitWithEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}

/** Submits the form. It is the last of the buttons, as the primary one always is. */
export function SendButton({ label = 'reply' }: { readonly label?: 'reply' | 'continue' | 'done' }): ReactNode {
  const say = useSay()
  return (
    <button type="submit" data-interleave="send">
      {say(label)}
    </button>
  )
}
