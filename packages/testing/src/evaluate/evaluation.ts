import { assertOption, checkArgument, isObject } from '@interleave/core/internal'
import { plainText } from './plainText.ts'

/** One run of one case. */
export interface EvalResult {
  readonly caseId: string
  /** The number of the run of the case, from 1. */
  readonly number: number
  readonly runId: string
  readonly passed: boolean
  readonly score: number
  readonly why?: string
  readonly output?: unknown
  readonly turns: number
  readonly tokens: number
  readonly cost: number
  readonly ms: number
}

/** The share of runs that passed, of one case or of all. */
export interface PassRate {
  readonly passed: number
  readonly runs: number
  /** The rate, from 0 to 1. */
  readonly rate: number
  /** The 95 % confidence interval of the rate (Wilson). */
  readonly interval: readonly [number, number]
}

export interface Evaluation extends PassRate {
  /** The results in the order of the cases. */
  readonly cases: readonly (PassRate & { readonly id: string })[]
  readonly results: readonly EvalResult[]
}

/** Returns the pass rate of these runs. */
export function passRate(results: readonly Pick<EvalResult, 'passed'>[]): PassRate {
  checkArgument(results, 'results of passRate()', 'a list')
  const passed = results.filter((result) => result.passed).length
  const runs = results.length
  return { passed, runs, rate: runs === 0 ? 0 : passed / runs, interval: wilson(passed, runs) }
}

/** Returns the 95 % interval of a rate (Wilson, 1927), which also holds for few runs, and for rates of 0 and 1. */
export function wilson(passed: number, runs: number): readonly [low: number, high: number] {
  if (runs === 0) return [0, 1]
  const z = 1.959964
  const rate = passed / runs
  const middle = rate + z ** 2 / (2 * runs)
  const spread = z * Math.sqrt((rate * (1 - rate)) / runs + z ** 2 / (4 * runs ** 2))
  const scale = 1 + z ** 2 / runs
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/** Formats pass rates as a table of plain text, one line per case, the worst first. */
export function formatEvaluation(evaluation: Evaluation): string {
  assertOption(isObject(evaluation) && evaluation.cases, 'formatEvaluation() needs the result of evaluate().')
  const { cases, results, ...all } = evaluation
  const whys = new Map(results.flatMap(({ caseId, passed, why }) => (passed || !why ? [] : [[caseId, why] as const])))
  const rows = [...cases]
    .sort((a, b) => a.rate - b.rate)
    .map(({ id, passed, runs, rate }) => [cut(id, 40), `${passed}/${runs}`, percent(rate), cut(whys.get(id) ?? '', 80)])
  const [from, to] = all.interval
  const interval = `95 % interval: ${percent(from)} to ${percent(to)}`
  const total = ['all', `${all.passed}/${all.runs}`, percent(all.rate), interval]
  const table = [['case', 'passed', 'rate', 'why not'], ...rows, total]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return table.map((row) => line(row).trimEnd()).join('\n')
}

const percent = (rate: number): string => `${Math.round(rate * 100)} %`

/** Cuts a text to one line. */
function cut(text: string, length: number): string {
  const line = plainText(text.replace(/\s+/g, ' '))
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
