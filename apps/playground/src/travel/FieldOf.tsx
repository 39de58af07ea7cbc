import { useId } from 'react'
import { toolWords } from '../parts/wording.ts'
import type { Editable } from './editable.ts'

export interface FieldOfProps {
  readonly found: Editable
  readonly value: string
  /** The id of the element that says why the value is invalid. */
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

/** The field for a changed message, observation or reply: options if there are some, otherwise text. */
export function FieldOf({ found, value, problem, onChange }: FieldOfProps) {
  const options = optionsOf(found)
  const id = useId()
  if (options) {
    return (
      <fieldset className="fork-options">
        <legend>{labelOf(found)}</legend>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </fieldset>
    )
  }
  return (
    <div className="fork-field">
      <label htmlFor={id}>{labelOf(found)}</label>
      <textarea
        id={id}
        value={value}
        data-json={isJson(found)}
        spellCheck={!isJson(found)}
        aria-invalid={problem !== undefined}
        aria-describedby={problem}
        onChange={({ target }) => onChange(target.value)}
      />
      {isJson(found) && <small>JSON, as the log has it.</small>}
    </div>
  )
}

function labelOf(found: Editable): string {
  switch (found.type) {
    case 'message':
      return 'What you say instead'
    case 'observation':
      return `What ${toolWords(found.tool)} gives instead`
    case 'reply':
      return found.ask.prompt
  }
}

function isJson(found: Editable): boolean {
  return found.type !== 'message' && typeof (found.type === 'reply' ? found.value : found.output) !== 'string'
}

/** Returns the options of a question with a fixed set of answers, each with the text of a field. */
function optionsOf(found: Editable): readonly { readonly value: string; readonly label: string }[] | undefined {
  if (found.type !== 'reply') return undefined
  if (found.ask.kind === 'choice') return found.ask.options
  if (found.ask.kind === 'confirm') {
    return [
      { value: 'true', label: found.ask.yes },
      { value: 'false', label: found.ask.no },
    ]
  }
  return undefined
}
