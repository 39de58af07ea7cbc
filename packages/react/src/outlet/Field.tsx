import { type ReactNode, useId } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Checkboxes } from './Checkboxes.tsx'
import { Frame } from './Frame.tsx'
import { type FieldPlace, fieldKind, labelOf, membersOf } from './fieldKind.ts'
import { Input } from './Input.tsx'
import { ListField } from './ListField.tsx'
import { useProblemAt } from './problemAt.ts'

/**
 * The input for one value of a form, with its label, hint and error; a group of inputs for an object, or a list of
 * them.
 */
export function Field(place: FieldPlace): ReactNode {
  switch (fieldKind(place.schema)) {
    case 'group':
      return <Group {...place} />
    case 'list':
      return <ListField place={place} Item={Field} />
    case 'choices':
      return <Checkboxes {...place} />
    default:
      return <Labelled {...place} />
  }
}

function Labelled(place: FieldPlace): ReactNode {
  const { schema, path, isRequired } = place
  const id = useId()
  const problem = useProblemAt(place)
  const kind = fieldKind(schema)
  const about = [schema.description && `${id}hint`, problem && `${id}problem`].filter(Boolean).join(' ')
  return (
    <div data-interleave="field" data-kind={kind}>
      <label htmlFor={id}>
        <UntrustedText limit={200}>{labelOf(place)}</UntrustedText>
        {!isRequired && kind !== 'boolean' && <small> (optional)</small>}
      </label>
      {schema.description && (
        <small id={`${id}hint`}>
          <UntrustedText>{schema.description}</UntrustedText>
        </small>
      )}
      <Input
        schema={schema}
        id={id}
        name={path}
        required={isRequired}
        aria-describedby={about || undefined}
        aria-invalid={problem ? true : undefined}
      />
      {problem && (
        <small id={`${id}problem`} data-interleave="field-problem">
          <UntrustedText>{problem}</UntrustedText>
        </small>
      )}
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
