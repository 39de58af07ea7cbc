import { assertOption, isObject } from '@interleave/core/internal'
import type { Evaluation } from './evaluate.ts'
import { plainText } from './plainText.ts'

/** Formats pass rates as a table of plain text, one line per case, the worst first. */
export function formatEvaluation(evaluation: Evaluation): string {
  assertOption(isObject(evaluation) && evaluation.cases, 'formatEvaluation() needs what evaluate() returns.')
  const { cases, results, ...all } = evaluation
  const whys = new Map(results.flatMap(({ caseId, passed, why }) => (passed || !why ? [] : [[caseId, why] as const])))
  const rows = [...cases]
    .sort((a, b) => a.rate - b.rate)
    .map(({ id, passed, runs, rate }) => [cut(id, 40), `${passed}/${runs}`, percent(rate), cut(whys.get(id) ?? '', 80)])
  const [from, to] = all.interval
  const total = [
    'all',
    `${all.passed}/${all.runs}`,
    percent(all.rate),
    `95 % interval: ${percent(from)} to ${percent(to)}`,
  ]
  const table = [['case', 'passed', 'rate', 'why not'], ...rows, total]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const percent = (rate: number): string => `${Math.round(rate * 100)} %`

/** Cuts a text to one line. */
const cut = (text: string, length: number): string => {
  const line = plainText(text.replace(/\s+/g, ' '))
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
