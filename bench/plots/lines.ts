import type { Result } from '../sample.ts'
import { classOf, figure, label, nameOf, point, svg } from './svg.ts'

const [width, height] = [680, 380]
const [left, right, top, bottom] = [64, 180, 56, 48]

export interface LinePlot {
  readonly title: string
  readonly xTitle: string
  /** The size that a result was measured at. */
  sizeOf(result: Result): number
}

/** A line for each subject, over sizes. Both axes are logarithmic: what costs the same at each size is a level line. */
export function linePlot({ title, xTitle, sizeOf }: LinePlot, results: readonly Result[]): string {
  const sizes = [...new Set(results.map(sizeOf))].toSorted((a, b) => a - b)
  const values = results.map(({ median }) => median)
  const x = axis(sizes, [left, width - right])
  const y = axis(values, [height - bottom, top], 1.4)
  const subjects = [...new Set(results.map(({ subject }) => subject))]
  const lines = subjects.map((subject) => {
    const points = results
      .filter((result) => result.subject === subject)
      .map((result) => ({ x: x(sizeOf(result)), y: y(result.median) }))
      .toSorted((a, b) => a.x - b.x)
    return { subject, points, end: points.at(-1) ?? { x: 0, y: 0 } }
  })
  const body = [
    label(title, { x: 20, y: 27, kind: 'soft' }),
    ...powersOfTen(values).flatMap((value) => [
      `<line class="rule" x1="${left}" x2="${width - right}" y1="${point(y(value))}" y2="${point(y(value))}"/>`,
      label(figure(value), { x: left - 8, y: y(value) + 4, anchor: 'end', kind: 'soft' }),
    ]),
    ...sizes.map((size) =>
      label(size.toLocaleString('en'), { x: x(size), y: height - bottom + 20, anchor: 'middle', kind: 'soft' }),
    ),
    label(xTitle, { x: (left + width - right) / 2, y: height - 10, anchor: 'middle', kind: 'soft' }),
    ...lines.flatMap(({ subject, points }) => drawn(classOf(subject), points)),
    ...namesNextTo(lines),
  ]
  return svg({ width, height, title, body })
}

interface Point {
  readonly x: number
  readonly y: number
}

function drawn(kind: string, points: readonly Point[]): string[] {
  const places = points.map(({ x, y }) => `${point(x)},${point(y)}`).join(' ')
  const dots = points.map(({ x, y }) => `<circle class="${kind}" cx="${point(x)}" cy="${point(y)}" r="3"/>`)
  return [`<polyline class="${kind}" points="${places}"/>`, ...dots]
}

/** The names at the ends of their lines, moved apart where they would touch. */
function namesNextTo(lines: readonly { readonly subject: string; readonly end: Point }[]): string[] {
  let free = Number.NEGATIVE_INFINITY
  return lines
    .toSorted((a, b) => a.end.y - b.end.y)
    .flatMap(({ subject, end }) => {
      free = Math.max(end.y + 4, free + 16)
      const [x1, y1, x2, y2] = [end.x + 6, end.y, width - right + 14, free - 4].map(point)
      const lead = `<line class="rule" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
      return [lead, label(nameOf(subject), { x: width - right + 20, y: free, kind: classOf(subject) })]
    })
}

/** From values to places, by their logarithm, with a little room at both ends where it is asked for. */
function axis(values: readonly number[], [from, to]: readonly [number, number], room = 1): (value: number) => number {
  const low = Math.log10(Math.min(...values) / room)
  const high = Math.log10(Math.max(...values) * room)
  return (value) => from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from)
}

/** Those between the least and the greatest value. */
function powersOfTen(values: readonly number[]): number[] {
  const low = Math.ceil(Math.log10(Math.min(...values)))
  const high = Math.floor(Math.log10(Math.max(...values)))
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, index) => 10 ** (low + index))
}
