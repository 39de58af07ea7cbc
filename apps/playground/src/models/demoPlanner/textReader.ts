import { parse } from 'chrono-node/en'
import { type Mention, wordAfter, wordBefore } from './mention.ts'
import type { PlannerTool } from './toolbox.ts'

/** The days that a text names, as `YYYY-MM-DD`; "next Friday" is counted from `now`. A range gives both ends. */
export function dates(text: string, now: Date): Mention[] {
  // The parser takes a range that begins with "from" for its end alone.
  const plain = text.replace(/\b(?:from|between)\b/gi, (word) => ' '.repeat(word.length))
  return parse(plain, now, { forwardDate: true }).flatMap(({ start, end, index, text: said }) => {
    const certain = (['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part))
    if (!certain) return []
    const at = { start: index, end: index + said.length }
    const around = { before: wordBefore(text, at.start), after: wordAfter(text, at.end) }
    return [start, ...(end ? [end] : [])].map((day) => ({ ...at, ...around, value: toIsoDay(day) }))
  })
}

interface Day {
  get(part: 'year' | 'month' | 'day'): number | null
}

const toIsoDay = (day: Day): string =>
  [pad(day.get('year'), 4), pad(day.get('month'), 2), pad(day.get('day'), 2)].join('-')

const pad = (part: number | null, length: number): string => String(part ?? 0).padStart(length, '0')

/** A text from which slots take their values. A part that one slot took is not available to others. */
export interface TextReader {
  readonly text: string
  readonly tool: PlannerTool
  /** The days that the text names, found once. */
  dates(): Mention[]
  /** Returns the mentions whose position is not taken yet. */
  free<M extends Mention<unknown>>(mentions: readonly M[]): M[]
  /** Marks a mention as taken, and returns its value. */
  use<Value>(mention: Mention<Value> | undefined): Value | undefined
  /** The text without what was taken. */
  rest(): string
}

export function textReader(text: string, { tool, now }: { tool: PlannerTool; now: Date }): TextReader {
  let days: Mention[] | undefined
  const used: { start: number; end: number }[] = []
  return {
    text,
    tool,
    dates: () => (days ??= dates(text, now)),
    free: (mentions) =>
      mentions.filter(({ start, end }) => !used.some((taken) => start < taken.end && end > taken.start)),
    use(mention) {
      if (mention) used.push({ start: mention.start, end: mention.end })
      return mention?.value
    },
    rest: () =>
      used
        .toSorted((a, b) => b.start - a.start)
        .reduce(
          (left, { start, end }) =>
            left.slice(0, start).replace(/(?:\b(?:to|in|into|for|from|at|on|by|per)\s+)?$/i, '') + left.slice(end),
          text,
        )
        .trim(),
  }
}
