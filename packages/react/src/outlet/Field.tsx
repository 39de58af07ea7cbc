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
  const hint = `${id}hint`
  return (
    <div data-interleave="field" data-kind={kind}>
      <label htmlFor={id}>
        {plain(labelOf(place))}
        {!isRequired && kind !== 'boolean' && <small> (optional)</small>}
      </label>
      <Input schema={schema} id={id} name={path} required={isRequired} aria-describedby={schema.description && hint} />
      <Hint id={hint} text={schema.description} />
    </div>
  )
}

/** The form itself is a group too, and needs no frame. */
function Group(place: FieldPlace): ReactNode {
  const fields = membersOf(place).map((member) => <Field key={member.path} {...member} />)
  if (place.path === '') return fields
  return (
    <Frame name="group" place={place}>
      {fields}
    </Frame>
  )
}

function Checkboxes(place: FieldPlace): ReactNode {
  const { schema, path } = place
  const preset: unknown = schema.default
  return (
    <Frame name="options" place={place}>
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
    </Frame>
  )
}

interface FrameProps {
  readonly name: string
  readonly place: FieldPlace
  readonly children: ReactNode
}

/** Several inputs that belong together, with their label and hint. */
function Frame({ name, place, children }: FrameProps): ReactNode {
  const { description } = place.schema
  const id = useId()
  return (
    <fieldset data-interleave={name} aria-describedby={description && id}>
      <legend>{plain(labelOf(place))}</legend>
      <Hint id={id} text={description} />
      {children}
    </fieldset>
  )
}

function Hint({ id, text }: { readonly id: string; readonly text: string | undefined }): ReactNode {
  return (
    text && (
      <small id={id} dir="auto">
        {plain(text)}
      </small>
    )
  )
}
