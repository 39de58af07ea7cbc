import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Outcome, outcomes, wilson } from './outcome.ts'
import { subjects } from './subjects.ts'
import { type Barrier, barriers, type ToolKind, tools } from './world.ts'

/** How often each outcome was seen for one tool and one barrier. */
export interface Cell {
  readonly subject: string
  readonly tool: ToolKind
  readonly barrier: Barrier
  readonly trials: number
  readonly counts: Readonly<Partial<Record<Outcome, number>>>
}

const results = path.join(import.meta.dirname, 'results.json')
const page = path.resolve(import.meta.dirname, '../../docs/proof.md')
const mark = '<!-- What follows is written by `npm run bench:crash`. -->'

export const readCells = (): readonly Cell[] =>
  existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as readonly Cell[]) : []

export function writeProof(cells: readonly Cell[]): void {
  writeFileSync(page, toProof(readFileSync(page, 'utf8'), cells))
}

/** The page with these figures in place of those that it has. */
function toProof(text: string, cells: readonly Cell[]): string {
  const [prose] = text.split(mark)
  return `${prose}${mark}\n\n${summary(cells)}\n${subjects.map(({ name }) => details(name, cells)).join('')}`
}

/** One row for each subject, over all of its trials. */
function summary(cells: readonly Cell[]): string {
  const rows = subjects.flatMap(({ name, setup }) => {
    const own = cells.filter(({ subject }) => subject === name)
    if (own.length === 0) return []
    const trials = sum(own.map((cell) => cell.trials))
    const counts = outcomes.map((outcome) => sum(own.map((cell) => cell.counts[outcome] ?? 0)))
    const right = sum(own.map(({ counts: each }) => (each.once ?? 0) + (each.asked ?? 0)))
    const [low, high] = wilson(right, trials)
    return [
      `| ${name} | ${[trials, ...counts].map(figure).join(' | ')} | ${percent(low)}–${percent(high)} | ${setup} |`,
    ]
  })
  const head = `| | trials | ${outcomes.join(' | ')} | right, 95 % bounds | setup |`
  return [head, `| --- | ${'---: | '.repeat(outcomes.length + 1)}---: | --- |`, ...rows, ''].join('\n')
}

/** The cells of a subject: its tools by its barriers. */
function details(name: string, cells: readonly Cell[]): string {
  const own = cells.filter(({ subject }) => subject === name)
  if (own.length === 0) return ''
  const rows = tools.map((tool) => {
    const row = barriers.map((barrier) => told(own.find((cell) => cell.tool === tool && cell.barrier === barrier)))
    return `| ${tool} | ${row.join(' | ')} |`
  })
  return [
    '',
    `### ${name}`,
    '',
    `| | ${barriers.join(' | ')} |`,
    `| --- | ${barriers.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n')
}

const told = (cell: Cell | undefined): string =>
  cell === undefined
    ? ''
    : outcomes
        .flatMap((outcome) => (cell.counts[outcome] ? [`${figure(cell.counts[outcome])} ${outcome}`] : []))
        .join(', ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const figure = (value: number): string => value.toLocaleString('en')
const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`
