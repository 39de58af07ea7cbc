import { useState } from 'react'
import { EffectBadge } from '../bench/EffectBadge.tsx'
import { type KnownTool, knownTools } from './knownNames.ts'

export interface ToolChoiceProps {
  readonly chosen: readonly string[]
  readonly onChoose: (tool: string, isOn: boolean) => void
}

/** Shows the tools of the page, each with a checkbox and its effect. Those of the agent come first. */
export function ToolChoice({ chosen, onChoose }: ToolChoiceProps) {
  // A tool keeps its place while it is turned off and on.
  const [own] = useState(() => known.filter(({ name }) => chosen.includes(name)))
  const others = known.filter((tool) => !own.includes(tool))
  const option = (tool: KnownTool) => (
    <ToolOption key={tool.name} tool={tool} isOn={chosen.includes(tool.name)} onChoose={onChoose} />
  )
  return (
    <fieldset className="tool-choice">
      <legend className="field-title">Tools</legend>
      {own.map(option)}
      <details className="other-tools" open={own.length === 0}>
        <summary>Add other tools ({others.length})</summary>
        <div className="tool-choice">{others.map(option)}</div>
      </details>
      <InFile names={chosen.filter((name) => !known.some((tool) => tool.name === name))} />
    </fieldset>
  )
}

interface ToolOptionProps extends Pick<ToolChoiceProps, 'onChoose'> {
  readonly tool: KnownTool
  readonly isOn: boolean
}

const ToolOption = ({ tool, isOn, onChoose }: ToolOptionProps) => (
  <label className="tool-option" data-on={isOn}>
    <input type="checkbox" checked={isOn} onChange={({ target }) => onChoose(tool.name, target.checked)} />
    <span>
      <code>{tool.name}</code> <EffectBadge tool={tool} />
      <small>{tool.description}</small>
    </span>
  </label>
)

// The page's tools do not change while it is open.
const known = knownTools()

/** Tools with options of their own, and agents that are called as tools, are written in the file. */
const InFile = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : <p className="editor-note">Also in the file: {names.join(', ')}</p>
