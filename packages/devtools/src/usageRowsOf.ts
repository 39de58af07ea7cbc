import type { Event, Usage } from '@interleave/core'
import { addUsage, checkArgument, noUsage } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'

/** The usage of one model call, or of work between the turns: a side call, such as for a summary, or a child run. */
export interface UsageRow {
  /** The event that reports it. */
  readonly seq: number
  readonly title: string
  readonly iteration: number
  readonly usage: Usage
  /** The model's duration in milliseconds, if it is known. */
  readonly ms?: number
  readonly model?: EventOf<'thought'>['model']
  /** The count is an estimate according to the provider: its metadata has `usage: 'estimated'`. */
  readonly isEstimated?: true
}

/** Returns one row for each event that used tokens, in the order of the log. Their sum is the usage of the run. */
export function usageRowsOf(events: readonly Event[]): readonly UsageRow[] {
  checkArgument(events, 'events of usageRowsOf()', 'a list')
  return events.flatMap((event) => {
    const row = rowOf(event)
    return row ? [{ seq: event.seq, iteration: event.iteration, ...row }] : []
  })
}

function rowOf(event: Event): Omit<UsageRow, 'seq' | 'iteration'> | undefined {
  if (event.type === 'thought') {
    const { iteration, usage, ms, model } = event
    const isEstimated = Object.values(event.providerMetadata ?? {}).some((metadata) => metadata.usage === 'estimated')
    return { title: `Turn ${iteration}`, usage, ms, model, ...(isEstimated && { isEstimated }) }
  }
  if (event.type === 'noted' && event.usage)
    return { title: event.call === undefined ? event.key : `Child run of ${event.call}`, usage: event.usage }
  return undefined
}

/** Tokens by kind, without overlap. */
export interface TokenParts {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

/** Splits the tokens of a turn. Some servers omit cached or reasoning tokens from their totals. */
export const tokenPartsOf = (usage: Usage): TokenParts => ({
  input: Math.max(0, usage.inputTokens - usage.cachedInputTokens),
  cached: usage.cachedInputTokens,
  output: Math.max(0, usage.outputTokens - usage.reasoningTokens),
  reasoning: usage.reasoningTokens,
})

export const tokensOf = ({ input, cached, output, reasoning }: TokenParts): number =>
  input + cached + output + reasoning

/** Neighboring rows that are shown as one bar. */
export interface Bucket {
  readonly title: string
  /** The first of them. */
  readonly seq: number
  readonly usage: Usage
  readonly rows: number
}

/** Merges the rows into at most this number of bars. */
export function bucketsOf(rows: readonly UsageRow[], most: number): readonly Bucket[] {
  const size = Math.max(1, Math.ceil(rows.length / most))
  const buckets: Bucket[] = []
  for (let from = 0; from < rows.length; from += size) {
    const bucket = toBucket(rows.slice(from, from + size))
    if (bucket) buckets.push(bucket)
  }
  return buckets
}

function toBucket(rows: readonly UsageRow[]): Bucket | undefined {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return undefined
  const title = first === last ? first.title : `${first.title} to ${last.title.replace('Turn ', '')}`
  return { title, seq: first.seq, usage: sumOf(rows.map(({ usage }) => usage)), rows: rows.length }
}

export const sumOf = (usages: readonly Usage[]): Usage => usages.reduce(addUsage, noUsage)

/** Rounds up to a number whose half is round, too: 1, 2, 4, 6, 8 or 10 times a power of ten. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8].find((times) => times * power >= value) ?? 10) * power
}
