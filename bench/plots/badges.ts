import type { Cell } from '../crash/document.ts'
import { isWrong, outcomes } from '../crash/outcome.ts'
import type { Result } from '../sample.ts'
import { figure } from './svg.ts'

/** The badges of the README by the names of their files, with figures that were measured. */
export function badgesOf(results: readonly Result[], cells: readonly Cell[]): ReadonlyMap<string, string> {
  const hello = results.find(({ subject, metric }) => subject === 'interleave' && metric === 'hello agent, without zod')
  const ours = cells.filter(({ subject }) => subject.startsWith('Interleave'))
  const trials = sum(ours.map((cell) => cell.trials))
  const wrong = sum(ours.flatMap(({ counts }) => outcomes.filter(isWrong).map((outcome) => counts[outcome] ?? 0)))
  return new Map([
    ['size', badge('first agent', `${figure(hello?.median ?? Number.NaN)} kB gzip`)],
    ['crashes', badge(`${trials} crashes`, `${wrong} doubled or lost`)],
  ])
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function badge(name: string, value: string): string {
  const [left, right] = [widthOf(name), widthOf(value)]
  const width = left + right
  const text = (words: string, x: number): string => `<text x="${x}" y="14" text-anchor="middle">${words}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img">
  <title>${name}: ${value}</title>
  <rect width="${width}" height="20" rx="3" fill="#4a5059"/>
  <path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="#5b3fd6"/>
  <g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">
    ${text(name, left / 2)}
    ${text(value, left + right / 2)}
  </g>
</svg>
`
}

/** About the width in the font, with room at both ends. */
const widthOf = (words: string): number => Math.round(words.length * 6.8) + 14
