import type { Json } from '@interleave/core'
import { type ReactNode, useId, useRef } from 'react'
import { Actions, AskForm } from './AskForm.tsx'
import type { AskProps } from './AskProps.ts'
import { plain, plainJson } from './plain.ts'

/** May this call run? Sending the form refuses, so that no stray Enter approves. */
export function ApprovalAsk({ ask, reply, complain, isSending }: AskProps<'approval'>): ReactNode {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const shown = plainJson(ask.input)

  const refuse = (data: FormData): void => {
    const reason = String(data.get('reason') ?? '').trim()
    void reply({ approved: false, ...(reason && { reason }) })
  }
  const approve = (): void => {
    const edited = input.current?.value ?? shown
    if (edited === shown) return void reply({ approved: true })
    try {
      void reply({ approved: true, input: JSON.parse(edited) as Json })
    } catch {
      complain('The input is not valid JSON.')
    }
  }
  return (
    <AskForm kind="approval" isSending={isSending} onSubmit={refuse}>
      <p>
        Tool: <code data-interleave="tool">{plain(ask.tool)}</code>
      </p>
      <label htmlFor={`${id}input`}>Input, as it will run. You may change it.</label>
      <textarea
        id={`${id}input`}
        ref={input}
        data-interleave="json"
        rows={Math.min(12, shown.split('\n').length + 1)}
        spellCheck={false}
        defaultValue={shown}
      />
      <label htmlFor={`${id}reason`}>Reason, if you refuse (optional)</label>
      <input id={`${id}reason`} name="reason" type="text" />
      <Actions>
        <button type="button" data-interleave="approve" onClick={approve}>
          Approve
        </button>
        <button type="submit" data-interleave="refuse" data-interleave-focus="">
          Refuse
        </button>
      </Actions>
    </AskForm>
  )
}
