import { type ReactNode, useId } from 'react'
import { Actions, AskForm, SendButton } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'

/** A limit is reached, or near: how much more, or the end, with an answer where the run has a last turn for it. */
export function ExtensionAsk({ ask, reply, isSending }: AskProps<'extension'>): ReactNode {
  const id = useId()
  return (
    <AskForm
      kind="extension"
      isSending={isSending}
      onSubmit={(data) => void reply({ extend: Number(data.get('more')) })}
    >
      <p>
        Used {ask.used} of {ask.allowed} ({ask.limit}).
      </p>
      <label htmlFor={id}>How much more</label>
      <input id={id} name="more" type="number" min={0} step="any" required defaultValue={ask.suggested} />
      <Actions>
        <SendButton label="Go on" />
        <button type="button" data-interleave="finish" onClick={() => void reply({ finish: true })}>
          {ask.finish === 'answer' ? 'Answer now' : 'Finish here'}
        </button>
      </Actions>
    </AskForm>
  )
}
