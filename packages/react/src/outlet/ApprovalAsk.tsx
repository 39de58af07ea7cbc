import type { Json } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../parts.tsx'
import { plainJson, plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { AskForm, type AskOf, type AskProps } from './AskForm.tsx'
import { type EditedInput, InputEditor } from './InputEditor.tsx'

/**
 * Asks whether a call may run. Shows the input that it will run with; the user can edit it by field or as JSON.
 * Refusing takes a second step, which asks for a reason. Its button has the initial focus unless the tool is `pure`, so
 * that a stray Enter does not approve.
 */
export function ApprovalAsk({ ask, reply, showProblem }: AskProps<'approval'>): ReactNode {
  const id = useId()
  const [isEditing, edit] = useState(false)
  const [isRefusing, setRefusing] = useState(false)
  const editor = useRef<EditedInput>(null)
  const next = useRef<HTMLSelectElement>(null)

  const submit = (data: FormData): void => {
    const reason = String(data.get('reason') ?? '').trim()
    if (isRefusing) void reply({ approved: false, ...(reason && { reason }) })
  }
  const approve = async (): Promise<void> => {
    try {
      const input = isEditing ? await editor.current?.read() : undefined
      await reply({ approved: true, ...(input !== undefined && { input }), ...permissionOf(next.current?.value) })
    } catch (error) {
      showProblem(messageOf(error))
    }
  }
  return (
    <AskForm
      onSubmit={submit}
      buttons={
        <Verdict isRefusing={isRefusing} onRefusing={setRefusing} isPure={ask.pure} onApprove={() => void approve()} />
      }
    >
      <p data-interleave="tool">
        Tool <UntrustedText limit={100}>{ask.tool}</UntrustedText>
        <small>{ask.pure ? 'changes nothing' : 'may change something'}</small>
      </p>
      <section data-interleave="input" aria-labelledby={`${id}input`}>
        <header>
          <h3 id={`${id}input`}>{isEditing ? 'Edit input' : 'Runs with this input'}</h3>
          <Button part="edit" onClick={() => edit(!isEditing)}>
            {isEditing ? 'Discard' : 'Edit'}
          </Button>
        </header>
        {isEditing ? <InputEditor handle={editor} ask={ask} /> : <ValueView value={ask.input} />}
      </section>
      <div hidden={isRefusing}>{ask.allow !== 'once' && <LaterField ask={ask} handle={next} />}</div>
      {isRefusing && <ReasonField />}
    </AskForm>
  )
}

interface VerdictProps {
  readonly isRefusing: boolean
  readonly onRefusing: (isRefusing: boolean) => void
  readonly isPure: true | undefined
  readonly onApprove: () => void
}

/** Renders the buttons. "Approve" is the last one; "Refuse…" only asks for a reason. */
function Verdict({ isRefusing, onRefusing, isPure, onApprove }: VerdictProps): ReactNode {
  const refusing = useRef<HTMLButtonElement>(null)
  const before = useRef(isRefusing)
  useEffect(() => {
    if (before.current && !isRefusing) refusing.current?.focus()
    before.current = isRefusing
  }, [isRefusing])
  if (isRefusing)
    return (
      <>
        <Button key="back" part="back" onClick={() => onRefusing(false)}>
          Back
        </Button>
        <button key="refuse" type="submit" data-interleave="refuse">
          Refuse
        </button>
      </>
    )
  return (
    <>
      <button
        key="refusing"
        ref={refusing}
        type="button"
        data-interleave="refusing"
        data-interleave-focus={isPure ? undefined : ''}
        onClick={() => onRefusing(true)}
      >
        Refuse…
      </button>
      <Button key="approve" part="approve" data-interleave-focus={isPure && ''} onClick={onApprove}>
        Approve
      </Button>
    </>
  )
}

/** Asks for the reason, which the model reads. */
function ReasonField(): ReactNode {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div data-interleave="field">
      <label htmlFor={id}>
        Reason for refusing <small>(optional)</small>
      </label>
      <input ref={field} id={id} name="reason" type="text" autoComplete="off" />
    </div>
  )
}

/** Lets the user choose what happens at the next call. */
function LaterField({
  ask,
  handle,
}: Pick<AskProps<'approval'>, 'ask'> & { readonly handle: Ref<HTMLSelectElement> }): ReactNode {
  const id = useId()
  return (
    <div data-interleave="field">
      <label htmlFor={id}>If approved, next time</label>
      <select id={id} ref={handle} defaultValue="ask" data-interleave="always">
        <option value="ask">Ask again</option>
        <LaterOptions ask={ask} />
      </select>
    </div>
  )
}

/** Renders the options that allow later calls: of this run, and for good if there is a store. */
function LaterOptions({ ask }: Pick<AskProps<'approval'>, 'ask'>): ReactNode {
  const options = (more: string, words: string): ReactNode => (
    <>
      <option value={`input${more}`}>
        Allow {inputWords(ask)}
        {words}
      </option>
      {ask.allow === undefined && <option value={`tool${more}`}>Allow this tool with any input{words}</option>}
    </>
  )
  if (!ask.forGood) return options('', '')
  return (
    <>
      {options('', ', for this run')}
      {options('ForGood', ', for good')}
    </>
  )
}

/** Returns the part of the reply that allows later calls. */
function permissionOf(chosen: string | undefined): { always?: 'tool' | 'input'; forGood?: true } {
  if (chosen === undefined || chosen === 'ask') return {}
  return { always: chosen.startsWith('tool') ? 'tool' : 'input', ...(chosen.endsWith('ForGood') && { forGood: true }) }
}

/** Describes the inputs that count as the same. */
const inputWords = ({ allowBy }: Pick<AskOf<'approval'>, 'allowBy'>): string =>
  allowBy ? `this tool with the same ${plainText(allowBy.join(', ')).slice(0, 100)}` : 'this tool with this input'

const deepest = 5

/** Shows a value for a decision: every member, nothing hidden; long values are cut until the user expands them. */
function ValueView({ value, depth = 0 }: { readonly value: Json; readonly depth?: number }): ReactNode {
  if (typeof value === 'string') return value ? <UntrustedText>{value}</UntrustedText> : <em>empty text</em>
  if (typeof value !== 'object' || value === null) return <code>{String(value)}</code>
  if (depth > deepest) return <UntrustedText>{plainJson(value)}</UntrustedText>
  if (Object.keys(value).length === 0) return <em>{Array.isArray(value) ? 'empty list' : 'nothing'}</em>
  return <Members value={value} depth={depth} />
}

const mostAtFirst = 20

/** Shows the members of an object or a list; only the first ones until the user expands it. */
function Members({ value, depth }: { readonly value: object; readonly depth: number }): ReactNode {
  const [showsAll, showAll] = useState(false)
  const all: [string, Json][] = Object.entries(value)
  const shown = showsAll ? all : all.slice(0, mostAtFirst)
  const views = shown.map(([key, member]) => [key, <ValueView key={key} value={member} depth={depth + 1} />] as const)
  return (
    <>
      {Array.isArray(value) ? (
        <ol data-interleave="values">
          {views.map(([key, view]) => (
            <li key={key}>{view}</li>
          ))}
        </ol>
      ) : (
        <dl data-interleave="value">
          {views.map(([key, view]) => (
            <div key={key}>
              <dt>
                <UntrustedText limit={80}>{key}</UntrustedText>
              </dt>
              <dd>{view}</dd>
            </div>
          ))}
        </dl>
      )}
      {all.length > shown.length && (
        <Button part="more" onClick={() => showAll(true)}>
          Show {(all.length - shown.length).toLocaleString('en')} more
        </Button>
      )}
    </>
  )
}
