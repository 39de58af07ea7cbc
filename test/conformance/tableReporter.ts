import { readdirSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { dataFolder, hasData, readRows } from './data.ts'
import type { Tallied } from './tally.ts'

interface Line extends Pick<Tallied, 'file' | 'check' | 'of'> {
  rows: number
  failures: string[]
  reported: number
  parts: number
}

/** Prints, after all tests, what came of each file of the data: also of those that no test reads yet. */
export default function tableReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = linesOf(modules)
      const table = [header, ...lines.map(toCells), ...unreadFiles(lines).map(toUnread)]
      if (table.length === 1) return
      process.stdout.write(`\n${dataFolder}\n${layOut(table)}\n`)
    },
  }
}

const header = ['file', 'check', 'rows', 'passed', 'failed', 'reported', 'replays', 'first failures']

function linesOf(modules: readonly TestModule[]): Line[] {
  const lines = new Map<string, Line>()
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { tallied } = test.meta()
      if (tallied) count(lines, tallied, test)
    }
  }
  return [...lines.values()].sort((a, b) => `${a.file} ${a.check}`.localeCompare(`${b.file} ${b.check}`))
}

function count(lines: Map<string, Line>, { file, of, check, row, parts, reported }: Tallied, test: TestCase): void {
  const key = `${file} ${check}`
  const line = lines.get(key) ?? { file, check, of, rows: 0, failures: [], reported: 0, parts: 0 }
  lines.set(key, line)
  line.rows += 1
  line.parts += parts
  if (reported !== undefined) line.reported += 1
  if (!test.ok()) line.failures.push(row)
}

function toCells({ file, check, of, rows, failures, reported, parts }: Line): string[] {
  const first = failures.slice(0, 5).join(' ')
  return [
    file,
    check,
    `${rows} of ${of}`,
    `${rows - failures.length - reported}`,
    `${failures.length}`,
    `${reported}`,
    `${parts}`,
    failures.length > 5 ? `${first} …` : first,
  ]
}

function unreadFiles(lines: readonly Line[]): string[] {
  if (!hasData('.')) return []
  const read = new Set(lines.map(({ file }) => file))
  return readdirSync(dataFolder).filter((file) => /\.jsonl(\.gz)?$/.test(file) && !read.has(file))
}

const toUnread = (file: string): string[] => [
  file,
  'not yet covered',
  `0 of ${readRows(file).length}`,
  '',
  '',
  '',
  '',
  '',
]

/** Columns as wide as their widest cell; the numbers stand to the right. */
function layOut(table: readonly string[][]): string {
  const widths = header.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string =>
    column >= 2 && column <= 6 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return table.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n')
}
