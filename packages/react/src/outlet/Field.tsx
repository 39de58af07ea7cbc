import { type ReactNode, useContext, useId, useRef, useState } from 'react'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useSay } from '../words/words.tsx'
import { AskContext } from './AskForm.tsx'
import { type FormField, fieldKind, itemOf, itemsOf, labelOf, membersOf, mostItems, optionsOf } from './fieldKind.ts'
import { Input } from './Input.tsx'

/** Renders the input for one value of a form, or the inputs of an object or a list, with label, hint and error. */
export function Field(field: FormField): ReactNode {
  switch (fieldKind(field.schema)) {
    case 'group':
      return <Group {...field} />
    case 'list':
      return <ListField {...field} />
    case 'choices':
      return <Checkboxes {...field} />
    default:
      return <SingleField {...field} />
  }
}

/** Returns the hint and the error of a field, and the ids that `aria-describedby` needs. */
function useHints(field: FormField): Readonly<Record<'hint' | 'problem', ReactNode> & { about: string | undefined }> {
  const { description } = field.schema
  const id = useId()
  const problem = problemAt(useContext(AskContext).problem, field)
  const hint = description && (
    <small id={`${id}hint`}>
      <UntrustedText>{description}</UntrustedText>
    </small>
  )
  const about = [description && `${id}hint`, problem && `${id}problem`].filter(Boolean).join(' ')
  return {
    hint,
    problem: problem && (
      <small id={`${id}problem`} data-interleave="field-problem">
        <UntrustedText>{problem}</UntrustedText>
      </small>
    ),
    about: about || undefined,
  }
}

/** Returns the error of a field. Errors begin with its path or its label: `contact.email: Invalid`. */
function problemAt(problem: string, { at, ...field }: FormField): string | undefined {
  if (!problem || (!at && field.path === '')) return undefined
  for (const name of [at, labelOf(field)]) {
    const own = name && problem.split('; ').find((part) => part.startsWith(`${name}: `))
    if (own) return own.slice(`${name}: `.length)
  }
  return undefined
}

function SingleField(field: FormField): ReactNode {
  const say = useSay()
  const { schema, path, isRequired } = field
  const id = useId()
  const { hint, problem, about } = useHints(field)
  const kind = fieldKind(schema)
  return (
    <div data-interleave="field" data-kind={kind}>
      <label htmlFor={id}>
        <UntrustedText limit={200}>{labelOf(field)}</UntrustedText>
        {!isRequired && kind !== 'boolean' && <small> {say('optional')}</small>}
      </label>
      {hint}
      <Input
        schema={schema}
        id={id}
        name={path}
        required={isRequired && schema.default !== ''}
        aria-describedby={about}
        aria-invalid={problem ? true : undefined}
      />
      {problem}
    </div>
  )
}

interface FieldsetProps {
  readonly name: string
  readonly field: FormField
  readonly children: ReactNode
}

/** Renders a group of inputs with their label, hint and error. */
function Fieldset({ name, field, children }: FieldsetProps): ReactNode {
  const { hint, problem, about } = useHints(field)
  return (
    <fieldset data-interleave={name} aria-describedby={about}>
      <legend>
        <UntrustedText limit={200}>{labelOf(field)}</UntrustedText>
      </legend>
      {hint}
      {children}
      {problem}
    </fieldset>
  )
}

/** Renders the inputs of an object. The form itself is such a group too, and needs no fieldset. */
function Group(field: FormField): ReactNode {
  const fields = membersOf(field).map((member) => <Field key={member.path} {...member} />)
  if (field.path === '') return fields
  return (
    <Fieldset name="group" field={field}>
      {fields}
    </Fieldset>
  )
}

function Checkboxes(field: FormField): ReactNode {
  const { schema, path } = field
  const preset: unknown = schema.default
  return (
    <Fieldset name="boxes" field={field}>
      {optionsOf(itemsOf(schema)).map(({ value, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options never move, and may have the same label.
        <label key={index} data-interleave="option">
          <input
            type="checkbox"
            name={path}
            value={index}
            defaultChecked={Array.isArray(preset) && preset.includes(value)}
          />
          <UntrustedText limit={200}>{label}</UntrustedText>
        </label>
      ))}
    </Fieldset>
  )
}

/** Renders a list of values to which the user can add items and from which the user can remove them. */
function ListField(field: FormField): ReactNode {
  const say = useSay()
  const { schema, path } = field
  const [keys, setKeys] = useState(() => initialKeys(schema))
  const next = useRef(keys.length)
  const box = useRef<HTMLDivElement>(null)
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const nameOf = (index: number): string => plainText(labelOf(itemOf(field, { key: keys[index] ?? '', index })))

  const add = (): void => {
    setKeys([...keys, String(next.current++)])
    // The new fields exist after this event.
    setTimeout(() => focusLastItem(box.current))
  }
  const remove = (key: string): void => {
    setKeys(keys.filter((other) => other !== key))
    box.current?.querySelector<HTMLElement>('[data-interleave="add"]')?.focus()
  }
  return (
    <Fieldset name="group" field={field}>
      <div ref={box} data-interleave="list">
        {keys.map((key, index) => (
          <div key={key} data-interleave="item">
            <input type="hidden" name={path} value={key} />
            <Field {...itemOf(field, { key, index })} />
            {keys.length > minItems && (
              <Button
                part="remove"
                aria-label={say('removeNamed', { item: nameOf(index) })}
                onClick={() => remove(key)}
              >
                {say('removeItem')}
              </Button>
            )}
          </div>
        ))}
        {keys.length < maxItems && (
          <Button part="add" onClick={add}>
            {say('addItem')}
          </Button>
        )}
      </div>
    </Fieldset>
  )
}

/** Returns the keys of the initial items: their indexes. A key names an item's inputs, wherever the item moves. */
function initialKeys({ default: preset, minItems = 0 }: FormField['schema']): readonly string[] {
  const { length } = Array.isArray(preset) ? preset : []
  return Array.from({ length: Math.min(Math.max(length, minItems), mostItems) }, (_, index) => String(index))
}

function focusLastItem(box: HTMLElement | null): void {
  const items = box?.querySelectorAll<HTMLElement>('[data-interleave="item"]') ?? []
  const field = ':is(input:not([type="hidden"]), select, textarea)'
  ;[...items].at(-1)?.querySelector<HTMLElement>(field)?.focus()
}
