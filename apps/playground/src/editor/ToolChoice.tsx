import { EffectBadge } from '../bench/EffectBadge.tsx'
import { knownTools } from './knownTools.ts'

export interface ToolChoiceProps {
  readonly chosen: readonly string[]
  readonly onChoose: (tool: string, isOn: boolean) => void
}

/** The tools of the page, each to be had or not, with what it does to the world. */
export const ToolChoice = ({ chosen, onChoose }: ToolChoiceProps) => (
  <fieldset className="tool-choice">
    <legend className="field-title">Tools</legend>
    {known.map((tool) => (
      <label key={tool.name} className="tool-option" data-on={chosen.includes(tool.name)}>
        <input
          type="checkbox"
          checked={chosen.includes(tool.name)}
          onChange={({ target }) => onChoose(tool.name, target.checked)}
        />
        <span>
          <code>{tool.name}</code> <EffectBadge tool={tool} />
          <small>{tool.description}</small>
        </span>
      </label>
    ))}
    <Others names={chosen.filter((name) => !known.some((tool) => tool.name === name))} />
  </fieldset>
)

// What the page knows does not change while it is open.
const known = knownTools()

/** Tools with options of their own, and agents that are called as tools, are written in the file. */
const Others = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : <p className="editor-note">Also, as the file says: {names.join(', ')}</p>
