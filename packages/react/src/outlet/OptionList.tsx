import { type ReactNode, useId } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import type { AskOf } from './AskProps.ts'

export interface OptionListProps {
  readonly type: 'radio' | 'checkbox'
  readonly legend: string
  readonly options: AskOf<'choice'>['options']
}

/** Options as cards, with native radios or checkboxes, in a group that says how many may be chosen. */
export function OptionList({ type, legend, options }: OptionListProps): ReactNode {
  const id = useId()
  return (
    <fieldset data-interleave="options">
      <legend>{legend}</legend>
      {options.map(({ value, label, description }, index) => (
        <label key={value} data-interleave="option" data-number={index < 9 ? index + 1 : undefined}>
          <input
            type={type}
            name="option"
            value={value}
            required={type === 'radio'}
            data-interleave-key={index + 1}
            aria-labelledby={`${id}label${index}`}
            aria-describedby={description ? `${id}${index}` : undefined}
          />
          <span>
            <span id={`${id}label${index}`}>
              <UntrustedText limit={200}>{label}</UntrustedText>
            </span>
            {description && (
              <small id={`${id}${index}`}>
                <UntrustedText limit={300}>{description}</UntrustedText>
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
