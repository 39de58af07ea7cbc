import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { wilson } from '@interleave/testing/internal'
import { versions } from './environment.ts'
import { type Outcome, outcomes } from './outcome.ts'
import { subjects } from './subjects.ts'
import { type Barrier, barriers, type ToolKind, tools } from './world.ts'

/** The number of times that each outcome occurred for one tool and one barrier. */
export interface Cell {
  readonly subject: string
  readonly tool: ToolKind
  readonly barrier: Barrier
  readonly trials: number
  readonly counts: Readonly<Partial<Record<Outcome, number>>>
}

const results = path.join(import.meta.dirname, 'results.json')
const page = path.resolve(import.meta.dirname, '../../docs/proof.md')

export const keyOf = ({ subject, tool, barrier }: Cell): string => `${subject} ${tool} ${barrier}`

/** The trials of both. */
export function addCells(one: Cell, other: Cell): Cell {
  const counts = outcomes.flatMap((each) => {
    const count = (one.counts[each] ?? 0) + (other.counts[each] ?? 0)
    return count > 0 ? [[each, count]] : []
  })
  return { ...one, trials: one.trials + other.trials, counts: Object.fromEntries(counts) }
}

export const readCells = (): readonly Cell[] =>
  existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as readonly Cell[]) : []

/** Writes the figures, and the page that shows them. */
export async function writeCells(cells: readonly Cell[]): Promise<void> {
  writeFileSync(results, `${JSON.stringify(cells, undefined, 2)}\n`)
  let text = readFileSync(page, 'utf8')
  text = fill(text, 'summary', summary(cells))
  text = fill(text, 'configuration', `${configuration(cells)}\n\n${await versions()}`)
  text = fill(text, 'cells', details(cells))
  writeFileSync(page, text)
}

/** The page with other content between two marks. */
function fill(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}, by npm run bench:crash -->`, `<!-- end of ${name} -->`]
  const [before, rest = ''] = text.split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`\`docs/proof.md\` must have the marks "${begin}" and "${end}".`)
  return `${before}${begin}\n\n${content.trim()}\n\n${end}${after}`
}

/** One row for each subject, over all of its trials. */
function summary(cells: readonly Cell[]): string {
  const rows = subjects.flatMap(({ name }) => {
    const own = cells.filter(({ subject }) => subject === name)
    if (own.length === 0) return []
    const trials = sum(own.map((cell) => cell.trials))
    const counts = outcomes.map((outcome) => sum(own.map((cell) => cell.counts[outcome] ?? 0)))
    const right = sum(own.map(({ counts: each }) => (each.once ?? 0) + (each.asked ?? 0)))
    const [low, high] = wilson(right, trials)
    return [`| ${name} | ${[trials, ...counts].map(figure).join(' | ')} | ${percent(low)}–${percent(high)} |`]
  })
  const head = `| | trials | ${outcomes.join(' | ')} | right, 95 % bounds |`
  return [head, `| --- | ${'---: | '.repeat(outcomes.length + 2).trim()}`, ...rows].join('\n')
}

function configuration(cells: readonly Cell[]): string {
  const tried = subjects.filter(({ name }) => cells.some(({ subject }) => subject === name))
  const rows = tried.map(
    ({ name, setup, program }) => `| ${name} | ${setup} | [${path.basename(program)}](../${program}) |`,
  )
  return ['| | configuration | program |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The outcomes by tool and barrier. Tools of a subject with the same kinds of outcomes share a row, with their sum. */
function details(cells: readonly Cell[]): string {
  const rows = subjects.flatMap(({ name }) => {
    const own = cells.filter(({ subject }) => subject === name)
    if (own.length === 0) return []
    const kinds = (tool: ToolKind) => barriers.map((barrier) => kindsOf(at(own, [tool], barrier))).join('|')
    const rowsOf = [...new Set(tools.map(kinds))].map((kind) => tools.filter((tool) => kinds(tool) === kind))
    return rowsOf.map((same, index) => {
      const row = barriers.map((barrier) => told(at(own, same, barrier)))
      return `| ${index === 0 ? name : ''} | ${same.join(', ')} | ${row.join(' | ')} |`
    })
  })
  return [`| | tool | ${barriers.join(' | ')} |`, `| ---${' | ---'.repeat(barriers.length + 1)} |`, ...rows].join('\n')
}

/** The cell of these tools together. */
function at(cells: readonly Cell[], some: readonly ToolKind[], barrier: Barrier): Cell | undefined {
  const same = cells.filter((cell) => some.includes(cell.tool) && cell.barrier === barrier)
  return same.length > 0 ? same.reduce(addCells) : undefined
}

const kindsOf = (cell: Cell | undefined): string => outcomes.filter((each) => cell?.counts[each]).join()

const told = (cell: Cell | undefined): string =>
  outcomes.flatMap((each) => (cell?.counts[each] ? [`${figure(cell.counts[each])} ${each}`] : [])).join(', ')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const figure = (value: number): string => value.toLocaleString('en')
const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`
