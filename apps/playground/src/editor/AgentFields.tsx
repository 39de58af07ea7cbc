import type { Problem } from '@interleave/config'
import { useId, useMemo } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import { GraphDrawing } from '../graph/GraphDrawing.tsx'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { graphOf } from '../run/graphOf.ts'
import { type AgentChange, changeAgent, type FormAgent, reasonActOf, toolsOf, withTool } from './agentForm.ts'
import { FieldProblems, RunFields } from './RunFields.tsx'
import { ToolChoice } from './ToolChoice.tsx'

export interface AgentFieldsProps {
  readonly text: string
  readonly agent: FormAgent
  readonly problems: readonly Problem[]
  readonly onWrite: (text: string) => void
}

/** The instructions, tools and end of an agent, as a form. Everything that it does not show stays in the file unchanged. */
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

/** Shows how an agent works that the form does not cover: its graph as a drawing, if the file is valid. */
function AgentGraph({ name, text }: { name: string; text: string }) {
  const graph = useMemo(() => readGraph(text), [text])
  return (
    <section>
      <h3 className="field-title">How it works</h3>
      <p className="editor-note">
        {graph
          ? 'It follows a graph, which is written in the file.'
          : 'It has steps of its own, which are written in the file.'}
      </p>
      {graph && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
        <section className="editor-graph" aria-label={`Graph of ${name}`} tabIndex={0}>
          <GraphDrawing graph={graph} standingOf={standsNowhere} />
        </section>
      )}
    </section>
  )
}

const standsNowhere = () => ({ visits: 0, doing: undefined })

function readGraph(text: string) {
  try {
    return graphOf(agentFrom(text, { model: demoPlanner() }).backend)
  } catch {
    return undefined
  }
}
