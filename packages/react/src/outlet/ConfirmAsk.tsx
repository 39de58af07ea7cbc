import type { ReactNode } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Actions, AskForm } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'

/** Yes or no, as two buttons. */
export function ConfirmAsk({ ask, reply, isSending }: AskProps<'confirm'>): ReactNode {
  return (
    <AskForm kind="confirm" isSending={isSending} onSubmit={() => {}}>
      <Actions>
        <button type="button" data-interleave="yes" data-interleave-key="1" onClick={() => void reply(true)}>
          <UntrustedText limit={Number.POSITIVE_INFINITY}>{ask.yes}</UntrustedText>
        </button>
        <button type="button" data-interleave="no" data-interleave-key="2" onClick={() => void reply(false)}>
          <UntrustedText limit={Number.POSITIVE_INFINITY}>{ask.no}</UntrustedText>
        </button>
      </Actions>
    </AskForm>
  )
}
