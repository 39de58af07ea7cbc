import type { ApprovalReply, Json } from '@interleave/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import { plainJson } from '../untrusted/piecesOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Actions, AskForm, type AskProps } from './AskForm.tsx'
import { type EditedInput, InputEditor } from './InputEditor.tsx'

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

interface ValueViewProps {
  readonly value: Json
  /** Its nesting depth. */
  readonly depth?: number
}

/** Shows a value for a decision: every member, nothing hidden; long values are cut until the user expands them. */
function ValueView({ value, depth = 0 }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return value ? <UntrustedText>{value}</UntrustedText> : <em>empty text</em>
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>
  if (depth > 5) return <UntrustedText>{plainJson(value)}</UntrustedText>
  if (Object.keys(value).length === 0) return <em>{Array.isArray(value) ? 'empty list' : 'nothing'}</em>
  return Array.isArray(value) ? <Items values={value} depth={depth} /> : <Members value={value} depth={depth} />
}

function Members({ value, depth }: { readonly value: object; readonly depth: number }): ReactNode {
  const { shown, more } = useSome(Object.entries(value))
  return (
    <>
      <dl data-interleave="value">
        {shown.map(([key, member]) => (
          <div key={key}>
            <dt>
              <UntrustedText limit={80}>{key}</UntrustedText>
            </dt>
            <dd>
              <ValueView value={member as Json} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}

function Items({ values, depth }: { readonly values: readonly Json[]; readonly depth: number }): ReactNode {
  const { shown, more } = useSome(Object.entries(values))
  return (
    <>
      <ol data-interleave="values">
        {shown.map(([index, item]) => (
          <li key={index}>
            <ValueView value={item} depth={depth + 1} />
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

/** Returns the first entries, and the others once the user wants them. */
function useSome<T>(entries: readonly T[]): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const [areAll, showAll] = useState(false)
  const shown = areAll ? entries : entries.slice(0, 20)
  const rest = entries.length - shown.length
  const more = rest > 0 && (
    <button type="button" data-interleave="more" onClick={() => showAll(true)}>
      Show {rest.toLocaleString('en')} more
    </button>
  )
  return { shown, more }
}
