import { type ReactNode, type Ref, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { reportProblem, useFailureWords } from '../failureWords.ts'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Phrase, type Say, useSay } from '../words/words.tsx'
import { AskContext, AskForm, type AskProps } from './AskForm.tsx'
import { useEditedPrompt } from './editedPrompt.ts'
import { plainSchema } from './fieldSchema.ts'
import { type EditedInput, InputEditor } from './InputEditor.tsx'
import { ValueView } from './ValueView.tsx'

/**
 * Asks whether a call may run. Shows the input that it will run with; the user can edit it by field or as JSON, and reads
 * the prompt of the edited input before approving it. Refusing takes a second step, which asks for a reason. The title has
 * the focus first, so a stray Enter does not approve.
 */
export function ApprovalAsk({ ask, reply, showProblem }: AskProps<'approval'>): ReactNode {
  const id = useId()
  const say = useSay()
  const [isEditing, edit] = useState(false)
  const [isRefusing, setRefusing] = useState(false)
  const editor = useRef<EditedInput>(null)
  const next = useRef<HTMLSelectElement>(null)
  const { edit: showEdited, flush } = useEditedPrompt(ask)
  const wordsOf = useFailureWords()
  const schema = useMemo(() => plainSchema(ask.schema), [ask.schema])

  const submit = (data: FormData): void => {
    const reason = String(data.get('reason') ?? '').trim()
    if (isRefusing) void reply({ approved: false, ...(reason && { reason }) })
  }
  const approve = async (): Promise<void> => {
    try {
      const input = isEditing ? await editor.current?.read() : undefined
      await reply({ approved: true, ...(input !== undefined && { input }), ...permissionOf(next.current?.value) })
    } catch (error) {
      reportProblem(error)
      showProblem(wordsOf(error))
    }
  }
  const section = useRef<HTMLElement>(null)
  // Its button keeps the focus otherwise, and discards when it is pressed again.
  useEffect(() => {
    if (isEditing) section.current?.querySelector<HTMLElement>(firstField)?.focus()
  }, [isEditing])
  const toggle = (): void => {
    edit(!isEditing)
    showEdited(undefined)
    flush()
  }
  return (
    <AskForm
      onSubmit={submit}
      buttons={<Verdict isRefusing={isRefusing} onRefusing={setRefusing} onApprove={() => void approve()} />}
    >
      <p data-interleave="tool">
        <Phrase of="tool" tool={<UntrustedText limit={100}>{ask.tool}</UntrustedText>} />
        <small>{say(ask.readOnly ? 'changesNothing' : 'mayChange')}</small>
      </p>
      <section ref={section} data-interleave="input" aria-labelledby={`${id}input`} onBlur={flush}>
        <header>
          <h3 id={`${id}input`}>{say(isEditing ? 'editInput' : 'runsWith')}</h3>
          <Button part="edit" onClick={toggle}>
            {say(isEditing ? 'discard' : 'edit')}
          </Button>
        </header>
        {isEditing ? (
          <InputEditor handle={editor} ask={ask} onEdit={showEdited} />
        ) : (
          <ValueView value={ask.input} schema={schema} />
        )}
      </section>
      <div hidden={isRefusing}>{ask.remember !== 'never' && <LaterField ask={ask} handle={next} />}</div>
      {isRefusing && <ReasonField />}
    </AskForm>
  )
}

const firstField = '[data-interleave="editor"] > :not(label) :is(input, select, textarea)'

interface VerdictProps {
  readonly isRefusing: boolean
  readonly onRefusing: (isRefusing: boolean) => void
  readonly onApprove: () => void
}

/**
 * Renders the buttons, with the prompt of an edited input above them. "Approve" is the last one; "Refuse…" only asks for
 * a reason.
 */
function Verdict({ isRefusing, onRefusing, onApprove }: VerdictProps): ReactNode {
  const say = useSay()
  const { prompt } = useContext(AskContext)
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
          {say('back')}
        </Button>
        <button key="refuse" type="submit" data-interleave="refuse">
          {say('refuse')}
        </button>
      </>
    )
  return (
    <>
      <p role="status" data-interleave="new-prompt">
        {prompt !== undefined && (
          <Phrase of="promptChanged" prompt={<UntrustedText limit={300}>{prompt}</UntrustedText>} />
        )}
      </p>
      <button key="refusing" ref={refusing} type="button" data-interleave="refusing" onClick={() => onRefusing(true)}>
        {say('refusing')}
      </button>
      <Button key="approve" part="approve" onClick={onApprove}>
        {say('approve')}
      </Button>
    </>
  )
}

/** Asks for the reason, which the model reads. */
function ReasonField(): ReactNode {
  const id = useId()
  const say = useSay()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div data-interleave="field">
      <label htmlFor={id}>
        {say('reasonForRefusing')} <small>{say('optional')}</small>
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
  const say = useSay()
  return (
    <div data-interleave="field">
      <label htmlFor={id}>{say('nextTime')}</label>
      <select id={id} ref={handle} defaultValue="ask" data-interleave="always">
        <option value="ask">{say('askAgain')}</option>
        {laterOptions(ask, say).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Returns the options that allow later calls: of this run, and for good if there is a store. */
function laterOptions(
  { remember, rememberBy, persistent }: AskProps<'approval'>['ask'],
  say: Say,
): readonly (readonly [value: string, words: string])[] {
  const keys = rememberBy && plainText(rememberBy.join(', ')).slice(0, 100)
  const input = (when: '' | 'ForRun' | 'ForGood'): string =>
    keys === undefined ? say(`allowInput${when}`) : say(`allowSame${when}`, { keys })
  const times = persistent ? (['ForRun', 'ForGood'] as const) : ([''] as const)
  return times.flatMap((when) => {
    const isPersistent = when === 'ForGood' ? when : ''
    const same = [`input${isPersistent}`, input(when)] as const
    return remember === undefined ? [same, [`tool${isPersistent}`, say(`allowAny${when}`)] as const] : [same]
  })
}

/** Returns the part of the reply that allows later calls. */
function permissionOf(chosen: string | undefined): { remember?: 'tool' | 'input'; persistent?: true } {
  if (chosen === undefined || chosen === 'ask') return {}
  return {
    remember: chosen.startsWith('tool') ? 'tool' : 'input',
    ...(chosen.endsWith('ForGood') && { persistent: true }),
  }
}
