import { dates } from './dates.ts'
import type { Mention } from './mention.ts'
import type { PlannerTool } from './toolbox.ts'

/** A text out of which slots take their values. What one slot took is gone for the others. */
export interface TextReader {
  readonly text: string
  readonly tool: PlannerTool
  /** The days that the text names, found once. */
  dates(): Mention[]
  /** Returns the mentions whose position is not taken yet. */
  free<M extends Mention<unknown>>(mentions: readonly M[]): M[]
  /** Marks a place as taken and gives the value. */
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
