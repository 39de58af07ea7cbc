/** One measurement of one subject. */
export interface Sample {
  readonly metric: string
  readonly unit: string
  readonly value: number
}

/** The samples of one metric over several processes, as they are published. */
export interface Result {
  readonly case: string
  readonly subject: string
  readonly metric: string
  readonly unit: string
  readonly median: number
  readonly min: number
  readonly max: number
}

/** One result for each metric, in the order in which they were first measured. */
export function toResults(name: string, subject: string, samples: readonly Sample[]): Result[] {
  return [...new Set(samples.map(({ metric }) => metric))].map((metric) => {
    const same = samples.filter((sample) => sample.metric === metric)
    const values = same.map(({ value }) => value)
    const { unit = '' } = same[0] ?? {}
    const [min, max] = [Math.min(...values), Math.max(...values)]
    return { case: name, subject, metric, unit, median: rounded(median(values)), min: rounded(min), max: rounded(max) }
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Returns the value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const rounded = (value: number): number => Number(value.toPrecision(4))
