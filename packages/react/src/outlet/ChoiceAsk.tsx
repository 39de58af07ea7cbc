import type { ReactNode } from 'react'
import { Actions, AskForm, SendButton } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'
import { OptionList } from './OptionList.tsx'

/** One of several, as radios. */
export function ChoiceAsk({ ask, reply, complain, isSending }: AskProps<'choice'>): ReactNode {
  const send = (data: FormData): void => {
    const value = data.get('option')
    if (typeof value === 'string') void reply(value)
    else complain('Choose one.')
  }
  return (
    <AskForm kind="choice" isSending={isSending} onSubmit={send}>
      <OptionList type="radio" legend="Choose one" options={ask.options} />
      <Actions>
        <SendButton />
      </Actions>
    </AskForm>
  )
}
