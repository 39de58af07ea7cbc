import { type ReactNode, useMemo } from 'react'
import { Actions, AskForm, SendButton } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'
import { Field } from './Field.tsx'
import { plainSchema } from './plainSchema.ts'
import { readField } from './readField.ts'

/** Several fields at once, from a JSON Schema. */
export function FormAsk({ ask, reply, complain, isSending }: AskProps<'form'>): ReactNode {
  const field = { schema: useMemo(() => plainSchema(ask.schema), [ask.schema]), path: '', isRequired: true }
  const send = async (data: FormData): Promise<void> => {
    try {
      await reply((await readField(field, data)) ?? null)
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <AskForm kind="form" isSending={isSending} onSubmit={(data) => void send(data)}>
      <Field {...field} />
      <Actions>
        <SendButton />
      </Actions>
    </AskForm>
  )
}
