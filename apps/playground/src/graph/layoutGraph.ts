import type { Edge } from '@interleave/core/graph'
import { orderRows, type Rows } from './orderRows.ts'
import { placeRows } from './placeRows.ts'
import { type Box, boxHeight, type Drawn, isOutermost, rowGap, type Side, sideOf } from './rows.ts'

const half = boxHeight / 2
/** An edge leaves the side of a box below the edges that arrive there. */
const aside = 7

/** Draws an edge down from box to box, through the slots in which it passes other rows. */
function downPath(way: readonly Box[]): string {
  const [first, ...rest] = way
  if (!first) return ''
  const parts = [`M ${point(first.x, first.y + half)}`]
  let x = first.x
  for (const [index, box] of rest.entries()) {
    const middle = box.y - half - rowGap / 2
    const tip = box.y - half
    parts.push(`C ${point(x, middle)} ${point(box.x, middle)} ${point(box.x, tip)}`)
    if (index < rest.length - 1) parts.push(`L ${point(box.x, box.y + half)}`)
    x = box.x
  }
  return parts.join(' ')
}

interface Back {
  readonly from: Box
  readonly to: Box
  /** The x of the lane that it goes up. */
  readonly x: number
  /** True if no box is between the lane and `from`, and between the lane and `to`. */
  readonly isOuter: readonly [boolean, boolean]
}

/** Up along a lane. Where another box is in the way, it leaves and arrives through the gaps between the rows. */
function backPath({ from, to, x, isOuter: [leavesAside, arrivesAside] }: Back): string {
  const side = x < from.x ? -1 : 1
  const leave = leavesAside
    ? [point(from.x + (side * from.width) / 2, from.y + aside), point(x, from.y + aside)]
    : [point(from.x, from.y + half), point(from.x, from.y + half + rowGap / 2), point(x, from.y + half + rowGap / 2)]
  const arrive = arrivesAside
    ? [point(x, to.y - aside), point(to.x + (side * to.width) / 2, to.y - aside)]
    : [point(x, to.y - half - rowGap / 2), point(to.x, to.y - half - rowGap / 2), point(to.x, to.y - half)]
  return `M ${[...leave, ...arrive].join(' L ')}`
}

const point = (x: number, y: number): string => `${round(x)},${round(y)}`
const round = (number: number): number => Math.round(number * 10) / 10

/** The drawing of a graph, in pixels. */
export interface Layout {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyMap<string, Box>
  /** The edges with the `d` of a path for each. */
  readonly lines: readonly { readonly edge: Edge; readonly d: string }[]
}

/** Between the lanes of edges that lead back. */
const lane = 14
const padding = 4

/** Draws a graph from the top to the bottom: rows of nodes, with the edges that lead back at the sides. */
export function layoutGraph(drawn: Drawn): Layout {
  const rows = orderRows(drawn)
  const places = placeRows(rows)
  const lanes = lanesOf(rows)
  const margin = { left: padding + lanes.left.length * lane, right: padding + lanes.right.length * lane }
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
