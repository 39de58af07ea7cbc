import type { Event, Usage } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { type TurnFacts, turnFacts } from './turnFacts.ts'

/** Two runs, turn by turn. */
export interface RunComparison {
  readonly rows: readonly ComparedTurn[]
  /** The index in `rows` of the first difference; undefined if there is none. */
  readonly firstDifference: number | undefined
  readonly totals: Pair<RunTotals>
}
export interface ComparedTurn {
  readonly turn: number
  /** One of them may have ended before this turn. */
  readonly a: TurnFacts | undefined
  readonly b: TurnFacts | undefined
  /** The differences in what was done. Tokens, cost and time do not count: they nearly always differ. */
  readonly differs: readonly Difference[]
}
export type Difference = (typeof differences)[number]
/** In the order in which they happen in a turn. */
export const differences = ['messages', 'thought', 'calls', 'inputs', 'replies', 'outputs', 'end'] as const

export interface Pair<T> {
  readonly a: T
  readonly b: T
}
export interface RunTotals {
  readonly turns: number
  readonly calls: number
  readonly usage: Usage
  /** Milliseconds of models and tools. The time of users is not counted. */
  readonly ms: number
}

/** Compares two runs, ignoring ids and times. */
export function compareRuns(eventsA: readonly Event[], eventsB: readonly Event[]): RunComparison {
  const [a, b] = [turnFacts(eventsA), turnFacts(eventsB)]
  const rows = Array.from({ length: Math.max(a.length, b.length) }, (_, index) =>
    compareTurns(a[index], b[index], index),
  )
  const first = rows.findIndex(({ differs }) => differs.length > 0)
  return {
    rows,
    firstDifference: first < 0 ? undefined : first,
    totals: { a: totalsOf(a, eventsA), b: totalsOf(b, eventsB) },
  }
}

function compareTurns(a: TurnFacts | undefined, b: TurnFacts | undefined, index: number): ComparedTurn {
  const all = differences.filter((what) => !isSame(aspects[what](a), aspects[what](b)))
  const differs = all.includes('calls') ? all.filter((what) => !ofCalls.includes(what)) : all
  return { turn: index + 1, a, b, differs }
}

/** Calls of other tools have nothing that could be compared. */
const ofCalls: readonly Difference[] = ['inputs', 'replies', 'outputs']

/** The values that each kind of difference compares. */
const aspects: { readonly [What in Difference]: (turn: TurnFacts | undefined) => unknown } = {
  messages: (turn) => turn?.said,
  thought: (turn) => turn && [turn.thought?.trim(), turn.reasoning?.trim()],
  calls: (turn) => turn?.calls.map(({ tool }) => tool),
  inputs: (turn) => turn?.calls.map(({ input }) => input),
  replies: (turn) => turn?.calls.map(({ replies }) => replies),
  outputs: (turn) => turn?.calls.map(({ output, error }) => error ?? output),
  end: (turn) => turn?.signal && endOf(turn.signal),
}

/** Omits the text of an answer that a model wrote: the thought has it already. */
const endOf = (signal: NonNullable<TurnFacts['signal']>): unknown =>
  signal.type === 'answer' ? [signal.type, signal.output] : [signal.type]

const isSame = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b)

/** Returns a value as JSON with its keys sorted, since their order does not matter. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? ''

const totalsOf = (turns: readonly TurnFacts[], events: readonly Event[]): RunTotals => ({
  turns: turns.filter(({ thought }) => thought !== undefined).length,
  calls: turns.reduce((sum, { calls }) => sum + calls.length, 0),
  usage: fold(events).usage,
  ms: turns.reduce((sum, { ms }) => sum + ms, 0),
})
