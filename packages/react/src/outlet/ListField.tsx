import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { plainText } from '../untrusted/piecesOf.ts'
import { Frame } from './Frame.tsx'
import { type FieldPlace, itemOf, labelOf, singular } from './fieldKind.ts'

export interface ListFieldProps {
  readonly place: FieldPlace
  /** Renders the input of one item. */
  readonly Item: ComponentType<FieldPlace>
}

/** A list of values to which the user can add and from which the user can remove items. */
export function ListField({ place, Item }: ListFieldProps): ReactNode {
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
