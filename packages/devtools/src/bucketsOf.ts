import type { Usage } from '@interleave/core'
import type { UsageRow } from './usageRowsOf.ts'

/** Neighbouring rows that are shown as one bar. */
export interface Bucket {
  readonly title: string
  /** The first of them. */
  readonly seq: number
  readonly usage: Usage
  readonly rows: number
}

/** The rows as at most so many bars. */
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

export function sumOf(usages: readonly Usage[]): Usage {
  const sum: { -readonly [Count in keyof Usage]: number } = { ...nothing }
  for (const usage of usages) for (const name of names) sum[name] += usage[name]
  return sum
}

const nothing: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpricedTurns: 0,
}
const names = Object.keys(nothing) as (keyof Usage)[]
