import type { Edge } from '@interleave/core/graph'
import type { Box } from './Box.ts'
import { isOutermost, type Side, sideOf } from './backSide.ts'
import type { Drawn } from './Drawn.ts'
import { orderRows, type Rows } from './orderRows.ts'
import { backPath, downPath } from './paths.ts'
import { placeRows } from './placeRows.ts'

/** A graph on paper, in pixels. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyMap<string, Box>
  /** The edges with the `d` of a path for each. */
  readonly lines: readonly { readonly edge: Edge; readonly d: string }[]
}

/** Between the lanes of edges that lead back. */
const lane = 14
const edgeOfPaper = 4

/** Draws a graph from the top to the bottom: rows of nodes, with the edges that lead back at the sides. */
export function layoutGraph(drawn: Drawn): Layout {
  const rows = orderRows(drawn)
  const places = placeRows(rows)
  const lanes = lanesOf(rows)
  const margin = { left: edgeOfPaper + lanes.left.length * lane, right: edgeOfPaper + lanes.right.length * lane }
  const width = margin.left + places.width + margin.right
  const boxOf = (id: string): Box => {
    const box = places.boxes.get(id) ?? { x: 0, y: 0, width: 0 }
    return { ...box, x: box.x + margin.left }
  }

  const toPath = (edge: Edge): string => {
    const way = rows.ways.get(edge)
    if (way) return downPath(way.map(boxOf))
    const { from, to } = edge
    const side = lanes.left.includes(edge) ? 'left' : 'right'
    const out = (lanes[side].indexOf(edge) + 1) * lane
    const x = side === 'left' ? margin.left - out : width - margin.right + out
    const isOuter = [isOutermost(rows.rows, side, from), isOutermost(rows.rows, side, to)] as const
    return backPath({ from: boxOf(from), to: boxOf(to), x, isOuter })
  }
  const boxes = new Map([...rows.rankOf.keys()].map((name) => [name, boxOf(name)]))
  return { width, height: places.height, boxes, lines: drawn.edges.map((edge) => ({ edge, d: toPath(edge) })) }
}

function lanesOf({ rows, back, rankOf }: Rows): Readonly<Record<Side, readonly Edge[]>> {
  const height = ({ from, to }: Edge): number => (rankOf.get(from) ?? 0) - (rankOf.get(to) ?? 0)
  const sorted = [...back].toSorted((a, b) => height(a) - height(b))
  const at = (side: Side): Edge[] => sorted.filter((edge) => sideOf(rows, edge) === side)
  return { left: at('left'), right: at('right') }
}
