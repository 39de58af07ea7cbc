import { parse } from 'chrono-node/en'
import { type Mention, wordAfter, wordBefore } from './mention.ts'

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
