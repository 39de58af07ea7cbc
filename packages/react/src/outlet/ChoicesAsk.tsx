import type { ReactNode } from 'react'
import { Actions, AskForm, SendButton } from './AskForm.tsx'
import type { AskOf, AskProps } from './AskProps.ts'
import { OptionList } from './OptionList.tsx'

/** Any number of several, as checkboxes. */
export function ChoicesAsk({ ask, reply, isSending }: AskProps<'choices'>): ReactNode {
  const send = (data: FormData): void => void reply(data.getAll('option').map(String))
  return (
    <AskForm kind="choices" isSending={isSending} onSubmit={send}>
      <OptionList type="checkbox" legend={legendOf(ask)} options={ask.options} />
      <Actions>
        <SendButton />
      </Actions>
    </AskForm>
  )
}

function legendOf({ min, max, options }: AskOf<'choices'>): string {
  if (min === max) return `Choose ${min}`
  if (max < options.length) return min > 0 ? `Choose ${min} to ${max}` : `Choose up to ${max}`
  return min > 0 ? `Choose at least ${min}` : 'Choose any'
}
