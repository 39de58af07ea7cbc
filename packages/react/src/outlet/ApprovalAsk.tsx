import type { ApprovalReply, Json } from '@interleave/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Actions, AskForm } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'
import { type EditedInput, InputEditor } from './InputEditor.tsx'
import { ValueView } from './ValueView.tsx'

/**
 * Asks whether a call may run. Shows the input that it will run with; the user can edit it by field or as JSON.
 * Submitting the form refuses. The refusal has the initial focus unless the tool is `pure`, so that a stray Enter does
 * not approve.
 */
export function ApprovalAsk({ ask, reply, complain, isSending }: AskProps<'approval'>): ReactNode {
  const id = useId()
  const [isEditing, edit] = useState(false)
  const editor = useRef<EditedInput>(null)

  const refuse = (data: FormData): void => {
    const reason = String(data.get('reason') ?? '').trim()
    void reply({ approved: false, ...(reason && { reason }) })
  }
  const approve = async (): Promise<void> => {
    try {
      await reply(approvalOf(isEditing ? await editor.current?.read() : undefined))
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <AskForm kind="approval" isSending={isSending} onSubmit={refuse}>
      <p data-interleave="tool">
        Tool <UntrustedText limit={100}>{ask.tool}</UntrustedText>
        <small>{ask.pure ? 'only looks, changes nothing' : 'may change something'}</small>
      </p>
      <section data-interleave="input" aria-labelledby={`${id}input`}>
        <header>
          <h3 id={`${id}input`}>{isEditing ? 'Change the input' : 'Input, as it will run'}</h3>
          <button type="button" data-interleave="edit" onClick={() => edit(!isEditing)}>
            {isEditing ? 'Undo changes' : 'Change it'}
          </button>
        </header>
        {isEditing ? <InputEditor handle={editor} ask={ask} /> : <ValueView value={ask.input} />}
      </section>
      <div data-interleave="field">
        <label htmlFor={`${id}reason`}>
          Reason, if you refuse <small>(optional)</small>
        </label>
        <input id={`${id}reason`} name="reason" type="text" autoComplete="off" />
      </div>
      <Actions>
        <button
          type="button"
          data-interleave="approve"
          data-interleave-focus={ask.pure && ''}
          onClick={() => void approve()}
        >
          Approve
        </button>
        <button type="submit" data-interleave="refuse" data-interleave-focus={ask.pure ? undefined : ''}>
          Refuse
        </button>
      </Actions>
    </AskForm>
  )
}

const approvalOf = (input: Json | undefined): ApprovalReply =>
  input === undefined ? { approved: true } : { approved: true, input }
