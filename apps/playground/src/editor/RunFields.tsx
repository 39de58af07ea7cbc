import type { Problem } from '@interleave/config'
import { type ReactNode, useId } from 'react'
import {
  type AgentChange,
  budgetsOf,
  type Numbers,
  type ReasonActConfig,
  samplingOf,
  withReasonAct,
  withSampling,
} from './agentForm.ts'

export interface RunFieldsProps {
  readonly options: ReasonActConfig
  readonly problems: readonly Problem[]
  readonly onChange: (change: AgentChange) => void
}

const rules: readonly (readonly [string, string])[] = [
  ['', 'With the first plain text (as usual)'],
  ['finalAnswer', 'When it calls the tool for a final answer'],
  ['confidentAnswer', 'When it is confident enough of its answer'],
  ['textAnswer', 'With the first plain text'],
]

/** The fields of numbers: the name, its label, and the default. */
type NumberNames = readonly (readonly [name: string, label: string, otherwise: string])[]

const budgets: NumberNames = [
  ['iterations', 'Turns', '20'],
  ['toolCalls', 'Tool calls', 'any number'],
  ['tokens', 'Tokens', 'any number'],
  ['cost', 'Cost in $', 'any'],
  ['ms', 'Milliseconds', 'any'],
]

const samplings: NumberNames = [
  ['temperature', 'Temperature', 'its own'],
  ['topP', 'Top-p', 'its own'],
  ['maxOutputTokens', 'Tokens out', 'its own'],
]

/** The stop rules of a run, the settings of its model, and the limits of one message after which it asks whether to continue. */
export function RunFields({ options, problems, onChange }: RunFieldsProps) {
  const stop = useId()
  const isKnown = options.stop === undefined || rules.some(([rule]) => rule === options.stop)
  const set = (change: ReasonActConfig): void => onChange((agent) => withReasonAct(agent, change))
  return (
    <>
      <section>
        <label className="field-title" htmlFor={stop}>
          A run ends
        </label>
        <select
          id={stop}
          value={isKnown ? String(options.stop ?? '') : 'other'}
          onChange={({ target }) => set({ stop: target.value || undefined })}
        >
          {!isKnown && (
            <option value="other" disabled>
              As the file says
            </option>
          )}
          {rules.map(([rule, does]) => (
            <option key={rule} value={rule}>
              {does}
            </option>
          ))}
        </select>
        <FieldProblems problems={problems} field="backend\.reasonAct\.stop" />
      </section>
      <NumberFields
        title="Limits for each message"
        names={budgets}
        values={budgetsOf(options)}
        onChange={(limits) => set({ limits })}
      >
        <FieldProblems problems={problems} field="backend\.reasonAct\.limits" />
      </NumberFields>
      {/* A provider ignores a setting that it does not have. */}
      <NumberFields
        title="Settings of the model"
        names={samplings}
        values={samplingOf(options)}
        onChange={(settings) => set(withSampling(options, settings))}
      >
        <FieldProblems problems={problems} field="backend\.reasonAct\.think" />
      </NumberFields>
    </>
  )
}

interface NumberFieldsProps {
  readonly title: string
  readonly names: NumberNames
  /** Undefined if the file says them in a way that a form does not show. */
  readonly values: Numbers | undefined
  readonly onChange: (values: Numbers) => void
  readonly children: ReactNode
}

function NumberFields({ title, names, values, onChange, children }: NumberFieldsProps) {
  return (
    <fieldset className="budgets">
      <legend className="field-title">{title}</legend>
      {values ? (
        names.map(([name, label, otherwise]) => (
          <label key={name}>
            {label}
            <input
              type="number"
              min={0}
              step="any"
              value={values[name] ?? ''}
              placeholder={otherwise}
              onChange={({ target }) => onChange(withNumber(values, name, target.valueAsNumber))}
            />
          </label>
        ))
      ) : (
        <p className="editor-note">They are set in the file.</p>
      )}
      {children}
    </fieldset>
  )
}

/** Omits the number of an empty field. */
function withNumber(values: Numbers, name: string, amount: number): Numbers {
  const { [name]: _, ...others } = values
  return Number.isNaN(amount) ? others : { ...values, [name]: amount }
}

/** The problems of a field of the first agent, next to the field. */
export function FieldProblems({ problems, field }: { problems: readonly Problem[]; field: string }) {
  const own = problems.filter(({ path }) =>
    new RegExp(`^agents(\\.[\\w$-]+|\\["[^"]*"\\])\\.${field}(\\W|$)`).test(path),
  )
  if (own.length === 0) return null
  return (
    <ul className="field-problems">
      {own.map(({ path, message }) => (
        <li key={`${path} ${message}`}>{message}</li>
      ))}
    </ul>
  )
}
