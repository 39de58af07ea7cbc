import type { Problem } from '@interleave/config'
import { useId } from 'react'
import {
  type AgentChange,
  type Budget,
  budgets,
  budgetsOf,
  type ReasonActConfig,
  type Sampling,
  samplingOf,
  samplings,
  withReasonAct,
  withSampling,
} from './agentForm.ts'
import { FieldProblems } from './FieldProblems.tsx'

export interface RunFieldsProps {
  readonly options: ReasonActConfig
  readonly problems: readonly Problem[]
  readonly onChange: (change: AgentChange) => void
}

const rules: readonly (readonly [string, string])[] = [
  ['', 'With the first plain text (as usual)'],
  ['onFinalAnswer', 'When it calls the tool for a final answer'],
  ['onConfidence', 'When it is confident enough of its answer'],
  ['onText', 'With the first plain text'],
]

const words: Readonly<Record<Budget, readonly [string, string]>> = {
  iterations: ['Turns', '20'],
  toolCalls: ['Tool calls', 'any number'],
  tokens: ['Tokens', 'any number'],
  cost: ['Cost in $', 'any'],
  ms: ['Milliseconds', 'any'],
}

const settingWords: Readonly<Record<Sampling, string>> = {
  temperature: 'Temperature',
  topP: 'Top-p',
  maxOutputTokens: 'Tokens out',
}

/** The stop rules of a run, the settings of its model, and the limits of one message after which it asks whether to continue. */
export function RunFields({ options, problems, onChange }: RunFieldsProps) {
  const stop = useId()
  const limits = budgetsOf(options)
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
      <fieldset className="budgets">
        <legend className="field-title">Limits for each message</legend>
        {limits ? (
          budgets.map((budget) => (
            <label key={budget}>
              {words[budget][0]}
              <input
                type="number"
                min={0}
                step="any"
                value={limits[budget] ?? ''}
                placeholder={words[budget][1]}
                onChange={({ target }) =>
                  set({ limits: withBudget(limits, budget, target.value === '' ? undefined : target.valueAsNumber) })
                }
              />
            </label>
          ))
        ) : (
          <p className="editor-note">They are as the file says.</p>
        )}
        <FieldProblems problems={problems} field="backend\.reasonAct\.limits" />
      </fieldset>
      <SettingFields options={options} problems={problems} set={set} />
    </>
  )
}

interface SettingFieldsProps extends Omit<RunFieldsProps, 'onChange'> {
  readonly set: (change: ReasonActConfig) => void
}

/** The settings that the model is called with. A provider ignores one that it does not have. */
function SettingFields({ options, problems, set }: SettingFieldsProps) {
  const settings = samplingOf(options)
  return (
    <fieldset className="budgets">
      <legend className="field-title">Settings of the model</legend>
      {settings ? (
        samplings.map((sampling) => (
          <label key={sampling}>
            {settingWords[sampling]}
            <input
              type="number"
              min={0}
              step="any"
              value={settings[sampling] ?? ''}
              placeholder="its own"
              onChange={({ target }) =>
                set(withSampling(options, sampling, target.value === '' ? undefined : target.valueAsNumber))
              }
            />
          </label>
        ))
      ) : (
        <p className="editor-note">They are as the file says.</p>
      )}
      <FieldProblems problems={problems} field="backend\.reasonAct\.think" />
    </fieldset>
  )
}

function withBudget(limits: object, budget: Budget, amount: number | undefined): object {
  const { [budget]: _, ...others } = limits as Record<Budget, number>
  return amount === undefined || Number.isNaN(amount) ? others : { ...others, [budget]: amount }
}
