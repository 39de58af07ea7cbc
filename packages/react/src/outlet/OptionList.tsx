import { type ReactNode, useId } from 'react'
import type { AskOf } from './AskProps.ts'
import { plain } from './plain.ts'

export interface OptionListProps {
  readonly type: 'radio' | 'checkbox'
  readonly legend: string
  readonly options: AskOf<'choice'>['options']
}

/** Options as native radios or checkboxes, in a group that says how many may be chosen. */
export function OptionList({ type, legend, options }: OptionListProps): ReactNode {
  const id = useId()
  return (
    <fieldset data-interleave="options">
      <legend>{legend}</legend>
      {options.map(({ value, label, description }, index) => (
        <label key={value} data-interleave="option" data-number={index + 1}>
          <input
            type={type}
            name="option"
            value={value}
            required={type === 'radio'}
            data-interleave-key={index + 1}
            aria-describedby={description ? `${id}${index}` : undefined}
          />
          <span>
            <span dir="auto">{plain(label)}</span>
            {description && (
              <small id={`${id}${index}`} dir="auto">
                {plain(description)}
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
