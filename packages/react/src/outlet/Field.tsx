import {
  type ComponentType,
  type Context,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from 'react'
import { plainText } from '../untrusted/piecesOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { type FieldPlace, fieldKind, itemOf, itemsOf, labelOf, membersOf, optionsOf, singular } from './fieldKind.ts'
import { Input } from './Input.tsx'

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

interface FrameProps {
  readonly name: string
  readonly place: FieldPlace
  readonly children: ReactNode
}

/** A group of inputs with their label, hint and error. */
function Frame({ name, place, children }: FrameProps): ReactNode {
  const { description } = place.schema
  const id = useId()
  const problem = useProblemAt(place)
  const about = [description && `${id}hint`, problem && `${id}problem`].filter(Boolean).join(' ')
  return (
    <fieldset data-interleave={name} aria-describedby={about || undefined}>
      <legend>
        <UntrustedText limit={200}>{labelOf(place)}</UntrustedText>
      </legend>
      {description && (
        <small id={`${id}hint`}>
          <UntrustedText>{description}</UntrustedText>
        </small>
      )}
      {children}
      {problem && (
        <small id={`${id}problem`} data-interleave="field-problem">
          <UntrustedText>{problem}</UntrustedText>
        </small>
      )}
    </fieldset>
  )
}

/** Any number of several values, as boxes to tick. */
function Checkboxes(place: FieldPlace): ReactNode {
  const { schema, path } = place
  const preset: unknown = schema.default
  return (
    <Frame name="boxes" place={place}>
      {optionsOf(itemsOf(schema)).map(({ value, label }, index) => (
        <label key={label} data-interleave="option">
          <input
            type="checkbox"
            name={path}
            value={index}
            defaultChecked={Array.isArray(preset) && preset.includes(value)}
          />
          <UntrustedText limit={200}>{label}</UntrustedText>
        </label>
      ))}
    </Frame>
  )
}

interface ListFieldProps {
  readonly place: FieldPlace
  /** Renders the input of one item. */
  readonly Item: ComponentType<FieldPlace>
}

/** A list of values to which the user can add and from which the user can remove items. */
function ListField({ place, Item }: ListFieldProps): ReactNode {
  const { schema } = place
  const [keys, setKeys] = useState(() => firstKeys(schema))
  const next = useRef(keys.length)
  const box = useRef<HTMLDivElement>(null)
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const one = plainText(singular(labelOf(place)).replace(/:$/, '')).toLowerCase()

  const add = (): void => {
    setKeys([...keys, String(next.current++)])
    // The fields are there after this event.
    setTimeout(() => lastField(box.current)?.focus())
  }
  const remove = (key: string): void => {
    setKeys(keys.filter((other) => other !== key))
    box.current?.querySelector<HTMLElement>('[data-interleave="add"]')?.focus()
  }
  return (
    <Frame name="group" place={place}>
      <div ref={box} data-interleave="list">
        {keys.map((key, index) => (
          <div key={key} data-interleave="item">
            <input type="hidden" name={place.path} value={key} />
            <Item {...itemOf(place, { key, index })} />
            {keys.length > minItems && (
              <button
                type="button"
                data-interleave="remove"
                aria-label={`Remove ${one} ${index + 1}`}
                onClick={() => remove(key)}
              >
                Remove
              </button>
            )}
          </div>
        ))}
        {keys.length < maxItems && (
          <button type="button" data-interleave="add" onClick={add}>
            Add {one}
          </button>
        )}
      </div>
    </Frame>
  )
}

/** A form of more items than this is no form that a user could fill in. */
const mostItems = 200

/** Keys name the inputs of items, wherever they move to. Those of the first items are their places. */
function firstKeys({ default: preset, minItems = 0 }: FieldPlace['schema']): readonly string[] {
  const { length } = Array.isArray(preset) ? preset : []
  return Array.from({ length: Math.min(Math.max(length, minItems), mostItems) }, (_, index) => String(index))
}

const lastField = (box: HTMLElement | null): HTMLElement | null | undefined =>
  [...(box?.querySelectorAll<HTMLElement>('[data-interleave="item"]') ?? [])]
    .at(-1)
    ?.querySelector<HTMLElement>(':is(input:not([type="hidden"]), select, textarea)')

/** The error of the latest reply; empty if there is none. */
export const ProblemContext: Context<string> = createContext('')

/** Returns the part of the error that concerns this field. */
const useProblemAt = (place: FieldPlace): string | undefined => problemAt(useContext(ProblemContext), place)

/**
 * Returns the error of a field. Errors begin with the field's path in the value, or its label:
 * `contact.email: Invalid`.
 */
function problemAt(problem: string, { at, ...place }: FieldPlace): string | undefined {
  if (!problem || (!at && place.path === '')) return undefined
  for (const name of [at, labelOf(place)]) {
    const complaint = name && problem.split('; ').find((part) => part.startsWith(`${name}: `))
    if (complaint) return complaint.slice(`${name}: `.length)
  }
  return undefined
}
