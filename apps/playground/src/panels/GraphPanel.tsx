import type { RunState } from '@interleave/core'
import { END, type Graph, type Position, position, toMermaid, visitCounts } from '@interleave/core/graph'
import { useRun, useStatus } from '@interleave/react'
import { useCallback, useMemo } from 'react'
import { GraphDrawing } from '../graph/GraphDrawing.tsx'
import { type Doing, labelOf, type Standing } from '../graph/nodeWords.ts'
import { takenEdges } from '../graph/takenEdges.ts'
import { CopyButton } from '../parts/CopyButton.tsx'
import { counted, type StateWord, stateWord } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents } from '../run/usePlayground.ts'
import './graphPanel.css'

/** The graph that a run follows, and where it is in it now. */
export function GraphPanel({ conversation, graph }: { conversation: Conversation; graph: Graph }) {
  const { run } = conversation
  const events = useEvents(conversation)
  const counts = visitCounts(events, graph)
  const taken = useMemo(() => takenEdges(events, graph), [events, graph])
  const at = useRun(
    run,
    useCallback((state: RunState) => position(state, graph), [graph]),
    isSamePosition,
  )
  const doing = doings[stateWord(useStatus(run))]
  const standingOf = (name: string, branch?: string): Standing => {
    const isHere = at?.node === name && (branch === undefined || at.branches?.includes(branch) === true)
    return { visits: counts.get(name) ?? 0, doing: isHere ? (name === END ? 'done' : doing) : undefined }
  }

  return (
    <div className="graph-panel">
      <div className="graph-bar">
        <p>{placeWords(at)}</p>
        <CopyButton label="Copy as Mermaid" text={() => toMermaid(graph, at)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className="graph-paper" aria-label={`Graph of ${graph.name}`} tabIndex={0}>
        <GraphDrawing graph={graph} standingOf={standingOf} taken={taken} />
      </section>
      <p className="graph-legend">
        <span>
          <Line /> always
        </span>
        <span>
          <Line isConditional /> one of these is chosen
        </span>
        <span>
          <Line isTaken /> taken
        </span>
      </p>
    </div>
  )
}

const Line = ({ isConditional = false, isTaken = false }: { isConditional?: boolean; isTaken?: boolean }) => (
  <svg aria-hidden viewBox="0 0 28 8" className="graph-sample">
    <path className="graph-line" data-conditional={isConditional} data-taken={isTaken} d="M0,4 H28" />
  </svg>
)

const doings: Readonly<Record<StateWord, Doing>> = {
  idle: 'at work',
  working: 'at work',
  'needs you': 'asks you',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
}

function placeWords(at: Position | undefined): string {
  if (!at) return 'It has not started.'
  const branches = at.branches?.length ? ` (${at.branches.join(' and ')})` : ''
  return `At ${labelOf(at.node)}${branches} · ${counted(at.visits, 'visit')}`
}

const isSamePosition = (a: Position | undefined, b: Position | undefined): boolean =>
  a?.visits === b?.visits && a?.node === b?.node && a?.branches?.join('\n') === b?.branches?.join('\n')
