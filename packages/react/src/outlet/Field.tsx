import { type ReactNode, useId } from 'react'
import { type FieldPlace, fieldKind, itemsOf, labelOf, membersOf, optionsOf } from './fieldKind.ts'
import { Input } from './Input.tsx'
import { plain } from './plain.ts'

/** The input for one value of a form, with its label and hint; a group of inputs for an object. */
export function Field(place: FieldPlace): ReactNode {
  const kind = fieldKind(place.schema)
  if (kind === 'group') return <Group {...place} />
  if (kind === 'choices') return <Checkboxes {...place} />
  return <Labelled {...place} />
}

function Labelled(place: FieldPlace): ReactNode {
  const { schema, path, isRequired } = place
  const id = useId()
  const kind = fieldKind(schema)
  const hint = schema.description && `${id}hint`
  return (
    <div data-interleave="field" data-kind={kind}>
      <label htmlFor={id}>
        {plain(labelOf(place))}
        {!isRequired && kind !== 'boolean' && <small> (optional)</small>}
      </label>
      <Input schema={schema} id={id} name={path} required={isRequired} aria-describedby={hint} />
      <Hint id={hint} text={schema.description} />
    </div>
  )
}

/** The form itself is a group too, and needs no frame. */
function Group(place: FieldPlace): ReactNode {
  const { schema, path } = place
  const id = useId()
  const fields = membersOf(place).map((member) => <Field key={member.path} {...member} />)
  if (path === '') return fields
  const hint = schema.description && `${id}hint`
  return (
    <fieldset data-interleave="group" aria-describedby={hint}>
      <legend>{plain(labelOf(place))}</legend>
      <Hint id={hint} text={schema.description} />
      {fields}
    </fieldset>
  )
}

function Checkboxes(place: FieldPlace): ReactNode {
  const { schema, path } = place
  const id = useId()
  const hint = schema.description && `${id}hint`
  const preset: unknown = schema.default
  return (
    <fieldset data-interleave="options" aria-describedby={hint}>
      <legend>{plain(labelOf(place))}</legend>
      <Hint id={hint} text={schema.description} />
      {optionsOf(itemsOf(schema)).map((option, index) => (
        <label key={String(option)} data-interleave="option">
          <input
            type="checkbox"
            name={path}
            value={index}
            defaultChecked={Array.isArray(preset) && preset.includes(option)}
          />
          <span dir="auto">{plain(String(option))}</span>
        </label>
      ))}
    </fieldset>
  )
}

function Hint({ id, text }: { readonly id: string | undefined; readonly text: string | undefined }): ReactNode {
  return (
    text && (
      <small id={id} dir="auto">
        {plain(text)}
      </small>
    )
  )
}
