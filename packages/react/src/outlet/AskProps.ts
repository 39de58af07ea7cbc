import type { Ask, ReplyTo } from '@interleave/core'
import type { ComponentType } from 'react'

export type AskKind = Ask['kind']
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
