import { cutText } from './cutText.ts'
import type { CompactionStrategy } from './strategy.ts'
import { lengthIn, roomFor, type SummaryOptions, withSummary, writeSummary } from './summary.ts'
import { transcript } from './transcript.ts'

/**
 * Has a model summarise the old part in one go. The user's requests stay as they are; an earlier summary becomes part of the
 * new one. What the model cannot take is cut out of the middle: for very long histories use `summariseHierarchically`.
 */
export function summarise(options: SummaryOptions = {}): CompactionStrategy {
  return {
    name: 'summarise',
    async shorten(old, run) {
      const room = roomFor(old, options)
      const text = cutText(transcript(old.pieces, Math.ceil(room / 8)), room)
      const length = lengthIn(old, options)
      const { summary, usage } = await writeSummary(run, { ...options, by: 'summarise', length, text })
      return { messages: withSummary(old, summary), usage }
    },
  }
}
