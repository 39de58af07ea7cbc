import type { Problem } from '@interleave/config'
import { useId } from 'react'
import { AgentGraph } from './AgentGraph.tsx'
import { type AgentChange, changeAgent, type FormAgent, reasonActOf, toolsOf, withTool } from './agentForm.ts'
import { FieldProblems } from './FieldProblems.tsx'
import { RunFields } from './RunFields.tsx'
import { ToolChoice } from './ToolChoice.tsx'

export interface AgentFieldsProps {
  readonly text: string
  readonly agent: FormAgent
  readonly problems: readonly Problem[]
  readonly onWrite: (text: string) => void
}

/** What an agent is told, what it may do, and when it ends, as a form. All that it does not show stays in the file as it is. */
export function AgentFields({ text, agent: { name, config }, problems, onWrite }: AgentFieldsProps) {
  const instructions = useId()
  const change = (next: AgentChange): void => onWrite(changeAgent(text, next))
  const options = reasonActOf(config)
  return (
    <div className="agent-fields">
      <section>
        <label className="field-title" htmlFor={instructions}>
          Instructions
        </label>
        {typeof config.instructions === 'object' ? (
          <p className="editor-note">A function of the page writes them: {config.instructions.function}.</p>
        ) : (
          <textarea
            id={instructions}
            className="instructions"
            rows={4}
            value={config.instructions ?? ''}
            placeholder="Who the agent is, and how it is to work"
            onChange={({ target }) => change((agent) => ({ ...agent, instructions: target.value || undefined }))}
          />
        )}
        <FieldProblems problems={problems} field="instructions" />
      </section>
      <section>
        <ToolChoice
          chosen={toolsOf(config)}
          onChoose={(tool, isOn) => change((agent) => withTool(agent, tool, isOn))}
        />
        <FieldProblems problems={problems} field="tools" />
      </section>
      {options ? (
        <RunFields options={options} problems={problems} onChange={change} />
      ) : (
        <AgentGraph name={name} text={text} />
      )}
    </div>
  )
}
