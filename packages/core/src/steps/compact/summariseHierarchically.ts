import type { RunContext } from '../../run.ts'
import { consult } from '../consult.ts'
import { cutText, splitText } from './cutText.ts'
import type { CompactionStrategy } from './strategy.ts'
import {
  defaultLength,
  lengthIn,
  roomFor,
  type SummaryOptions,
  summaryPrompt,
  withSummary,
  writeSummary,
} from './summary.ts'
import { transcript } from './transcript.ts'

/**
 * Has a model summarize the old part in segments, and then the summaries, as often as needed, so that a history of any
 * length fits the summarizer's window. Each partial summary is in the log, and not requested again after a reload.
 */
export function summariseHierarchically(options: SummaryOptions = {}): CompactionStrategy {
  return {
    name: 'summariseHierarchically',
    async shorten(old, run) {
      const chunk = Math.max(4 * (options.length ?? defaultLength), roomFor(old, options))
      let text = transcript(old.pieces, Number.POSITIVE_INFINITY)
      for (let level = 0; ; level++) {
        const parts = splitText(text, chunk)
        if (parts.length === 1) break
        text = await summariseParts(run, { ...options, level, parts })
      }
      const { summary, usage } = await writeSummary(run, {
        ...options,
        by: 'summariseHierarchically',
        length: lengthIn(old, options),
        text,
      })
      return { messages: withSummary(old, summary), usage }
    },
  }
}

interface Parts extends SummaryOptions {
  readonly level: number
  readonly parts: readonly string[]
}

async function summariseParts(run: RunContext, { level, parts, models, ...options }: Parts): Promise<string> {
  const { length = defaultLength } = options
  const summaries: string[] = []
  for (const [index, part] of parts.entries()) {
    const place = `Part ${index + 1} of ${parts.length}`
    const prompt = summaryPrompt({ ...options, length, text: `${place}:\n${part}` })
    const key = `compact/${run.state.iteration}/${level}/${index}/${part.length}`
    const summary = await consult(run, { key, prompt, ...(models && { models }) })
    summaries.push(`${place}, summarised:\n${cutText(summary, length)}`)
  }
  return summaries.join('\n\n')
}
