import type { Edge } from '@interleave/core/graph'
import type { Order } from './Slot.ts'

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
