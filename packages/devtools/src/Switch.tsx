import type { ReactNode } from 'react'
export interface SwitchProps {
  readonly label: string
  /** Words by value. */
  readonly options: Readonly<Record<string, string>>
  readonly value: string
  readonly onChange: (value: string) => void
}

/** One of a few ways to look at the same. */
export const Switch = ({ label, options, value, onChange }: SwitchProps): ReactNode => (
  <fieldset data-part="switch" aria-label={label}>
    {Object.entries(options).map(([option, words]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
        {words}
      </button>
    ))}
  </fieldset>
)
