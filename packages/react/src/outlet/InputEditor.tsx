import type { Json } from '@interleave/core'
import { canonicalJson } from '@interleave/core/internal'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLatest } from '../effects.ts'
import { useProblem } from '../failureWords.ts'
import { plainJson } from '../untrusted/segmentsOf.ts'
import { type Say, useSay } from '../words/words.tsx'
import type { AskOf } from './AskForm.tsx'
import { Field } from './Field.tsx'
import { fieldKind } from './fieldKind.ts'
import { plainSchema } from './fieldSchema.ts'
import { presetWith } from './presetWith.ts'
import { notFilled, readField } from './readField.ts'

export interface EditedInput {
  /** Returns the edited input; undefined if nothing changed. Rejects with a readable error if it is invalid. */
  read(): Promise<Json | undefined>
}
export interface InputEditorProps {
  /** A ref to the editor. It is not called `ref`, which React 18 does not pass as a prop. */
  readonly handle: Ref<EditedInput>
  readonly ask: Pick<AskOf<'approval'>, 'schema' | 'input'>
  /** Called after each change with the edited input; undefined if nothing differs, or if the input is not valid yet. */
  readonly onEdit?: (input: Json | undefined) => void
}

/**
 * Edits the input of a tool call, by field or as JSON. Switching keeps the changes. It must be inside of a form.
 *
 * @example
 * const editor = useRef<EditedInput>(null)
 * // In the form: <InputEditor handle={editor} ask={ask} />. In its onSubmit:
 * const input = (await editor.current?.read()) ?? ask.input
 */
export function InputEditor({ handle, ask, onEdit }: InputEditorProps): ReactNode {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  const [value, setValue] = useState(ask.input)
  const [isJson, showJson] = useState(false)
  const [problem, showProblem] = useProblem()
  const schema = useMemo(() => presetWith(plainSchema(ask.schema), value), [ask.schema, value])
  const isFields = !isJson && fieldKind(schema) === 'group'
  const field = { schema, path: '', isRequired: true }

  const currentValue = async (check: 'reportValidity' | 'checkValidity' = 'reportValidity'): Promise<Json> => {
    const form = box.current?.closest('form')
    if (isFields && form) {
      if (!form[check]()) throw notFilled(say('someInvalid'))
      return (await readField(field, new FormData(form), say)) ?? null
    }
    return parse(box.current?.querySelector('textarea')?.value ?? '', say)
  }
  const editedOf = (value: Json): Json | undefined =>
    canonicalJson(value) === canonicalJson(ask.input) ? undefined : value
  useImperativeHandle(handle, () => ({ read: async () => editedOf(await currentValue()) }))
  const reportEdit = async (): Promise<void> =>
    onEdit?.(await currentValue('checkValidity').then(editedOf, () => undefined))
  useChanges(box, () => void reportEdit())
  const swap = async (): Promise<void> => {
    try {
      setValue(await currentValue())
      showProblem()
      showJson(!isJson)
    } catch (error) {
      showProblem(error)
    }
  }
  return (
    <div ref={box} data-interleave="editor">
      <label data-interleave="as-json">
        <input type="checkbox" checked={!isFields} disabled={!isJson && !isFields} onChange={() => void swap()} />{' '}
        {say('asJson')}
      </label>
      {isFields ? <Field key={plainJson(value)} {...field} /> : <JsonField json={plainJson(value)} />}
      {problem && (
        <small role="alert" data-interleave="field-problem">
          {problem}
        </small>
      )}
    </div>
  )
}

/** Calls a function after each change in a box: of a field, or of the items of a list. */
function useChanges(box: RefObject<HTMLElement | null>, changed: () => void): void {
  const latest = useLatest(changed)
  useEffect(() => {
    const element = box.current
    // A click changes the page after this event.
    const listen = (): unknown => setTimeout(() => element?.isConnected && latest.current())
    for (const type of ['input', 'click']) element?.addEventListener(type, listen)
    return () => {
      for (const type of ['input', 'click']) element?.removeEventListener(type, listen)
    }
  }, [box, latest])
}

const mostLines = 14

function JsonField({ json }: { readonly json: string }): ReactNode {
  const say = useSay()
  const id = useId()
  const rows = Math.min(mostLines, json.split('\n').length + 1)
  return (
    <div data-interleave="field">
      <label htmlFor={id}>{say('inputAsJson')}</label>
      <textarea id={id} data-interleave="json" rows={rows} spellCheck={false} defaultValue={json} />
    </div>
  )
}

function parse(text: string, say: Say): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw notFilled(say('inputNotJson'))
  }
}
