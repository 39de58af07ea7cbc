import type { Edge, ParallelNode } from '@interleave/core/graph'

/** The middle of a box and its width, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  /** The branches of a node that has some, which are drawn side by side instead of it. */
  readonly branches?: readonly string[]
}

export const boxHeight = 40
/** Between two rows. */
export const rowGap = 28

/** The parts of a graph that are drawn. */
export interface Drawn {
  readonly nodes: readonly string[]
  readonly edges: readonly Edge[]
  readonly start: string
  readonly parallel?: readonly ParallelNode[]
}

/** A node in its row, or the point where a long edge passes a row. */
export interface Slot {
  readonly id: string
  readonly node?: string
  readonly branches?: readonly string[]
}

/** Slots row by row, each row from the left to the right. */
export type Order = readonly (readonly Slot[])[]

/** Two slots in neighboring rows, the upper one first. */
export type Pair = readonly [from: string, to: string]

/** The steps of ways that lead down, row by row. */
export const pairsOf = (ways: Iterable<readonly string[]>): Pair[] =>
  [...ways].flatMap((way) => way.slice(1).map((to, index): Pair => [way[index] ?? '', to]))

export type Side = 'left' | 'right'

/** The side at which an edge leads back up: the one with fewer obstacles. */
export const sideOf = (order: Order, edge: Edge): Side =>
  obstacles(order, edge, 'left') < obstacles(order, edge, 'right') ? 'left' : 'right'

/** Returns the number of ends of an edge that have something between them and the side. */
export const obstacles = (order: Order, { from, to }: Edge, side: Side): number =>
  [from, to].filter((name) => !isOutermost(order, side, name)).length

/** Returns true for the outermost node of a row. */
export function isOutermost(order: Order, side: Side, name: string): boolean {
  const row = order.find((slots) => slots.some(({ id }) => id === name))
  return row?.at(side === 'left' ? 0 : -1)?.id === name
}
