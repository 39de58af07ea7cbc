import { type Box, boxHeight, rowGap } from './Box.ts'

const half = boxHeight / 2
/** An edge leaves the side of a box below the edges that arrive there. */
const aside = 7

/** Down from box to box; what is in between are the places where it passes other rows. */
export function downPath(way: readonly Box[]): string {
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

export interface Back {
  readonly from: Box
  readonly to: Box
  /** The x of the lane that it goes up. */
  readonly x: number
  /** True if no box is between the lane and `from`, and between the lane and `to`. */
  readonly isOuter: readonly [boolean, boolean]
}

/** Up along a lane. Where another box is in the way, it leaves and arrives through the gaps between the rows. */
export function backPath({ from, to, x, isOuter: [leavesAside, arrivesAside] }: Back): string {
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
