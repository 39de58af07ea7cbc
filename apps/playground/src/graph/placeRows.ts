import { shortName } from './nodeWords.ts'
import type { Rows } from './orderRows.ts'
import { type Box, boxHeight, isOutermost, pairsOf, rowGap, type Slot } from './rows.ts'

const columnGap = 16
const wayWidth = 10
/** Above the first row, for the dot where the graph begins. */
const top = 24

export interface Places {
  readonly width: number
  readonly height: number
  /** The boxes of the nodes, and the points where long edges pass. */
  readonly boxes: ReadonlyMap<string, Box>
}

/** Positions each slot as close to its neighbors above and below as the others in its row allow. */
export function placeRows({ rows, ways }: Rows): Places {
  const middles = new Map<string, number>()
  const place = (row: readonly Slot[], wishes: readonly number[]): void => {
    for (const [index, x] of spread(row, wishes).entries()) middles.set(row[index]?.id ?? '', x)
  }
  for (const row of rows) place(row, new Array<number>(row.length).fill(0))
  const links = linksOf({ rows, ways })
  for (let round = 0; round < 24; round++) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const wishes = row.map(({ id }) => {
        const near = links.get(id) ?? []
        const weight = near.reduce((sum, link) => sum + link.weight, 0)
        const pull = near.reduce((sum, link) => sum + link.weight * (middles.get(link.id) ?? 0), 0)
        return weight === 0 ? (middles.get(id) ?? 0) : pull / weight
      })
      place(row, wishes)
    }
  }
  straighten({ rows, ways }, middles)
  return toBoxes(rows, middles)
}

/** Straightens an edge that is outermost in all rows that it passes, by moving it outwards. */
function straighten({ rows, ways }: Pick<Rows, 'rows' | 'ways'>, middles: Map<string, number>): void {
  for (const way of ways.values()) {
    const passed = way.slice(1, -1)
    const xs = passed.map((id) => middles.get(id) ?? 0)
    if (passed.every((id) => isOutermost(rows, 'left', id))) for (const id of passed) middles.set(id, Math.min(...xs))
    else if (passed.every((id) => isOutermost(rows, 'right', id)))
      for (const id of passed) middles.set(id, Math.max(...xs))
  }
}

interface Link {
  readonly id: string
  readonly weight: number
}

/** The boxes that pull at each other. The parts of a long edge pull more, so that it is straight. */
function linksOf({ rows, ways }: Pick<Rows, 'rows' | 'ways'>): ReadonlyMap<string, readonly Link[]> {
  const nodes = new Set(rows.flat().flatMap(({ node, id }) => (node === undefined ? [] : [id])))
  const links = new Map<string, Link[]>(rows.flat().map(({ id }) => [id, []]))
  for (const [from, to] of pairsOf(ways.values())) {
    const weight = nodes.has(from) && nodes.has(to) ? 2 : nodes.has(from) || nodes.has(to) ? 1 : 8
    links.get(from)?.push({ id: to, weight })
    links.get(to)?.push({ id: from, weight })
  }
  return links
}

/** Moves the wished positions apart as far as needed: halfway between pushing to the right and pushing to the left. */
function spread(row: readonly Slot[], wishes: readonly number[]): number[] {
  const apart = (index: number): number => (widthOf(row[index - 1]) + widthOf(row[index])) / 2 + columnGap
  const right = [...wishes]
  const left = [...wishes]
  for (let index = 1; index < row.length; index++)
    right[index] = Math.max(right[index] ?? 0, (right[index - 1] ?? 0) + apart(index))
  for (let index = row.length - 1; index > 0; index--)
    left[index - 1] = Math.min(left[index - 1] ?? 0, (left[index] ?? 0) - apart(index))
  return right.map((x, index) => (x + (left[index] ?? 0)) / 2)
}

function toBoxes(rows: Rows['rows'], middles: ReadonlyMap<string, number>): Places {
  const slots = rows.flatMap((row, rank) => row.map((slot) => ({ slot, rank, x: middles.get(slot.id) ?? 0 })))
  const left = Math.min(...slots.map(({ slot, x }) => x - widthOf(slot) / 2))
  const right = Math.max(...slots.map(({ slot, x }) => x + widthOf(slot) / 2))
  const boxes = slots.map(({ slot, rank, x }): readonly [string, Box] => {
    const { id, branches } = slot
    const y = top + rank * (boxHeight + rowGap) + boxHeight / 2
    return [id, { x: x - left, y, width: widthOf(slot), ...(branches && { branches }) }]
  })
  return { width: right - left, height: top + rows.length * (boxHeight + rowGap) - rowGap + 8, boxes: new Map(boxes) }
}

/** Wide enough for its words, which a browser may set in any font. Its branches are equally wide. */
function widthOf(slot: Slot | undefined): number {
  if (slot?.node === undefined) return wayWidth
  const names = slot.branches ?? [slot.node]
  return names.length * Math.max(108, ...names.map((name) => 20 + 8 * shortName(name).length))
}
