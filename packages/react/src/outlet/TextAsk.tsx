import type { ReactNode } from 'react'
import { plainText } from '../untrusted/piecesOf.ts'
import { Actions, AskForm, SendButton } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'

/** Free text, in one line or several. */
export function TextAsk({ ask, titleId, reply, isSending }: AskProps<'text'>): ReactNode {
  const { multiline, minLength, maxLength, placeholder } = ask
  const field = {
    name: 'text',
    'aria-labelledby': titleId,
    required: minLength > 0,
    minLength,
    maxLength,
    autoComplete: 'off',
    ...(placeholder && { placeholder: plainText(placeholder).slice(0, 200) }),
  }
  return (
    <AskForm kind="text" isSending={isSending} onSubmit={(data) => void reply(String(data.get('text') ?? ''))}>
      {multiline ? <textarea rows={5} {...field} /> : <input type="text" {...field} />}
      <Actions>
        <SendButton />
      </Actions>
    </AskForm>
  )
}
