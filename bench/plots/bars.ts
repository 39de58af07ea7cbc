import type { Result } from '../sample.ts'
import { classOf, figure, label, nameOf, point, svg } from './svg.ts'

const width = 680
const row = 30
const [left, right, top] = [204, 130, 44]

/** A bar for each subject, the least at the top. */
export function barPlot(title: string, results: readonly Result[]): string {
  const sorted = results.toSorted((a, b) => a.median - b.median)
  const most = Math.max(...sorted.map(({ median }) => median), Number.MIN_VALUE)
  const floor = sorted.find(({ subject }) => subject === 'floor')?.median
  const bars = sorted.flatMap(({ subject, median, unit }, index) => {
    const y = top + index * row
    const length = Math.max(1, (median / most) * (width - left - right))
    const kind = classOf(subject)
    const times = floor && subject !== 'floor' ? ` · ${figure(median / floor)}×` : ''
    return [
      label(nameOf(subject), { x: left - 12, y: y + 16, anchor: 'end', kind }),
      `<rect class="mark ${kind}" x="${left}" y="${y + 2}" width="${point(length)}" height="${row - 10}" rx="3"/>`,
      label(`${figure(median)} ${unit}${times}`, { x: left + length + 8, y: y + 16, kind: 'soft' }),
    ]
  })
  const height = top + sorted.length * row + 12
  return svg({ width, height, title, body: [label(title, { x: 20, y: 27, kind: 'soft' }), ...bars] })
}
