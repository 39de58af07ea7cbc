import type { Json } from '@interleave/core'
import { canonicalJson, messageOf } from '@interleave/core/internal'
import { type ReactNode, type Ref, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { plainJson } from '../untrusted/segmentsOf.ts'
import type { AskOf } from './AskForm.tsx'
import { Field } from './Field.tsx'
import { fieldKind } from './fieldKind.ts'
import { plainSchema } from './fieldSchema.ts'
import { presetWith } from './presetWith.ts'
import { readField } from './readField.ts'

export interface EditedInput {
  /** Returns the edited input; undefined if nothing changed. Rejects with a readable error if it is invalid. */
  read(): Promise<Json | undefined>
}
export interface InputEditorProps {
  /** A ref to the editor. It is not called `ref`, which React 18 does not pass as a prop. */
  readonly handle: Ref<EditedInput>
  readonly ask: Pick<AskOf<'approval'>, 'schema' | 'input'>
}

/**
 * Edits the input of a tool call, by field or as JSON. Switching keeps the changes. It must be inside of a form.
 *
 * @example
 * const editor = useRef<EditedInput>(null)
 * // In the form: <InputEditor handle={editor} ask={ask} />. In its onSubmit:
 * const input = (await editor.current?.read()) ?? ask.input
 */
export function InputEditor({ handle, ask }: InputEditorProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const [value, setValue] = useState(ask.input)
  const [isJson, showJson] = useState(false)
  const [problem, setProblem] = useState('')
  const schema = useMemo(() => presetWith(plainSchema(ask.schema), value), [ask.schema, value])
  const isFields = !isJson && fieldKind(schema) === 'group'
  const field = { schema, path: '', isRequired: true }

  const currentValue = async (): Promise<Json> => {
    const form = box.current?.closest('form')
    if (isFields && form) {
      if (!form.reportValidity()) throw new Error('Some fields are invalid.')
      return (await readField(field, new FormData(form))) ?? null
    }
    return parse(box.current?.querySelector('textarea')?.value ?? '')
  }
  useImperativeHandle(handle, () => ({
    async read() {
      const edited = await currentValue()
      return canonicalJson(edited) === canonicalJson(ask.input) ? undefined : edited
    },
  }))
  const swap = async (): Promise<void> => {
    try {
      setValue(await currentValue())
      setProblem('')
      showJson(!isJson)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }
  return (
    <div ref={box} data-interleave="editor">
      <label data-interleave="as-json">
        <input type="checkbox" checked={!isFields} disabled={!isJson && !isFields} onChange={() => void swap()} /> as
        JSON
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

const mostLines = 14

function JsonField({ json }: { readonly json: string }): ReactNode {
  const id = useId()
  const rows = Math.min(mostLines, json.split('\n').length + 1)
  return (
    <div data-interleave="field">
      <label htmlFor={id}>Input as JSON</label>
      <textarea id={id} data-interleave="json" rows={rows} spellCheck={false} defaultValue={json} />
    </div>
  )
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Error('The input is not valid JSON.')
  }
}
