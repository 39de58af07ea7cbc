import type { ReactNode } from 'react'
import { Actions, AskForm } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'
import { plain } from './plain.ts'

/** Yes or no, as two buttons. */
export function ConfirmAsk({ ask, reply, isSending }: AskProps<'confirm'>): ReactNode {
  return (
    <AskForm kind="confirm" isSending={isSending} onSubmit={() => {}}>
      <Actions>
        <button type="button" data-interleave="yes" data-interleave-key="1" onClick={() => void reply(true)}>
          {plain(ask.yes)}
        </button>
        <button type="button" data-interleave="no" data-interleave-key="2" onClick={() => void reply(false)}>
          {plain(ask.no)}
        </button>
      </Actions>
    </AskForm>
  )
}
