import { END, type Graph } from '@interleave/core/graph'
import { useId, useMemo } from 'react'
import { type Layout, layoutGraph } from './layoutGraph.ts'
import { boxWords, labelOf, nodeWords, type Standing, shortName } from './nodeWords.ts'
import { type Box, boxHeight } from './rows.ts'
import { edgeKey } from './takenEdges.ts'
import './graphDrawing.css'

export interface GraphDrawingProps {
  readonly graph: Graph
  /** Of a node, or of one of its branches. */
  readonly standingOf: (name: string, branch?: string) => Standing
  /** The edges that were taken, by their keys. */
  readonly taken?: ReadonlySet<string>
}

/** Draws a graph and the position of a run in it, with the same as a list for screen readers. */
export function GraphDrawing({ graph, standingOf, taken = new Set() }: GraphDrawingProps) {
  const layout = useMemo(() => layoutGraph(graph), [graph])
  const names = [...layout.boxes.keys()]
  return (
    <>
      <ul className="visually-hidden" aria-label={`Nodes of ${graph.name}`}>
        {names.map((name) => (
          <li key={name} aria-current={standingOf(name).doing ? 'step' : undefined}>
            {nodeWords(graph, name, standingOf(name))}
          </li>
        ))}
      </ul>
      <svg
        className="graph"
        aria-hidden
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        style={{ width: layout.width, minWidth: layout.width * 0.8 }}
      >
        <Lines layout={layout} start={graph.start} taken={taken} />
        {names.map((name) => (
          <Node key={name} name={name} box={layout.boxes.get(name)} standingOf={standingOf} />
        ))}
      </svg>
    </>
  )
}

interface LinesProps {
  readonly layout: Layout
  readonly start: string
  readonly taken: ReadonlySet<string>
}

function Lines({ layout: { lines, boxes }, start, taken }: LinesProps) {
  const arrow = useId()
  const first = boxes.get(start)
  const end = `url(#${arrow})`
  return (
    <>
      <marker
        id={arrow}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerUnits="userSpaceOnUse"
        markerWidth="8"
        markerHeight="8"
        orient="auto"
      >
        <path className="graph-arrow" d="M0,0 L8,4 L0,8 z" />
      </marker>
      {first && (
        <>
          <circle className="graph-arrow" cx={first.x} cy={6} r={4} />
          <path className="graph-line" d={`M${first.x},10 V${first.y - boxHeight / 2}`} markerEnd={end} />
        </>
      )}
      {lines.map(({ edge, d }) => (
        <path
          key={edgeKey(edge)}
          className="graph-line"
          data-conditional={edge.conditional}
          data-taken={taken.has(edgeKey(edge))}
          d={d}
          markerEnd={end}
        />
      ))}
    </>
  )
}

interface NodeProps extends Pick<GraphDrawingProps, 'standingOf'> {
  readonly name: string
  readonly box: Box | undefined
}

/** A node, or the branches that replace it. */
function Node({ name, box, standingOf }: NodeProps) {
  if (!box) return null
  const { branches } = box
  if (!branches) return <Cell name={name} box={box} standing={standingOf(name)} />
  const width = box.width / branches.length
  return branches.map((branch, index) => {
    const x = box.x - box.width / 2 + (index + 0.5) * width
    return <Cell key={branch} name={branch} box={{ ...box, x, width }} standing={standingOf(name, branch)} />
  })
}

function Cell({ name, box: { x, y, width }, standing }: { name: string; box: Box; standing: Standing }) {
  const words = boxWords(standing)
  return (
    <g className="graph-node" data-node={labelOf(name)} data-doing={standing.doing} data-visited={standing.visits > 0}>
      <rect
        x={x - width / 2}
        y={y - boxHeight / 2}
        width={width}
        height={boxHeight}
        rx={name === END ? boxHeight / 2 : 8}
      />
      <text x={x} y={words ? y - 3 : y + 5} className="graph-name">
        {shortName(name)}
      </text>
      {words && (
        <text x={x} y={y + 13} className="graph-words">
          {words}
        </text>
      )}
    </g>
  )
}
