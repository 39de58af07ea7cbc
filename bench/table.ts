import type { Result } from './sample.ts'

/** A case as text: a line for each metric, a column for each subject, with its spread, and how many times the floor it is. */
export function table(title: string, results: readonly Result[]): string {
  const lines = toLines(results, spreadOf)
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const text = lines.map((line) => line.map((word, column) => pad(word, widths[column] ?? 0, column)).join('  '))
  return `\n${title}\n${text.join('\n')}\n`
}

/** The same as Markdown, without the spread. */
export function markdownTable(title: string, results: readonly Result[]): string {
  const [head = [], ...rows] = toLines(results, () => '')
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'))
  return `## ${title}\n\n${[head, rule, ...rows].map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`
}

function toLines(results: readonly Result[], spread: (result: Result) => string): string[][] {
  const subjects = [...new Set(results.map(({ subject }) => subject))]
  const rows = [...new Set(results.map(({ metric }) => metric))].map((metric) => {
    const same = results.filter((result) => result.metric === metric)
    const base = same.find(({ subject }) => subject === 'floor')
    const cells = subjects.map((name) =>
      cell(
        same.find(({ subject }) => subject === name),
        { base, spread },
      ),
    )
    return [`${metric} (${same[0]?.unit})`, ...cells]
  })
  return [['', ...subjects], ...rows]
}

interface Around {
  readonly base: Result | undefined
  readonly spread: (result: Result) => string
}

function cell(result: Result | undefined, { base, spread }: Around): string {
  if (!result) return '-'
  const { median, unit } = result
  // The garbage collector moves more than such a heap.
  if (unit === 'kB' && median <= 0) return 'not measurable'
  const least = unit === 'kB' ? 1 : 0
  const ratio = base && base !== result && base.median > least ? ` ${times(median / base.median)}` : ''
  return `${short(median)}${spread(result)}${ratio}`
}

const spreadOf = ({ min, max }: Result): string => (min === max ? '' : ` [${short(min)}–${short(max)}]`)
const times = (ratio: number): string => (ratio < 10 ? `${ratio.toFixed(2)}×` : `${short(Math.round(ratio))}×`)

const short = (value: number): string =>
  value >= 1_000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

const pad = (word: string, width: number, column: number): string =>
  column === 0 ? word.padEnd(width) : word.padStart(width)
