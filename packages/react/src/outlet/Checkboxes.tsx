import type { ReactNode } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { Frame } from './Frame.tsx'
import { type FieldPlace, itemsOf, optionsOf } from './fieldKind.ts'

/** Any number of several values, as boxes to tick. */
export function Checkboxes(place: FieldPlace): ReactNode {
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
