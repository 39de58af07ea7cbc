import { useMemo } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import { GraphDrawing } from '../graph/GraphDrawing.tsx'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { graphOf } from '../run/graphOf.ts'

/** The way that an agent works where it is none of the form: its graph as a drawing, as long as the file can be used. */
export function AgentGraph({ name, text }: { name: string; text: string }) {
  const graph = useMemo(() => readGraph(text), [text])
  return (
    <section>
      <h3 className="field-title">How it works</h3>
      <p className="editor-note">
        {graph
          ? 'It follows a graph, which is written in the file.'
          : 'In a way of its own, which is written in the file.'}
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
