/** A run whose host was ended in the middle of its work, as the page that did it noted. */
export interface Kill {
  /** The time, in milliseconds since the epoch. */
  readonly at: number
  /** The `seq` of the last event before. */
  readonly seq: number
  /** The time when the run first worked again, in any tab. */
  readonly backAt?: number | undefined
}

/** Returns the part of the stored data that can be used. */
export function readKill(value: unknown): Kill | undefined {
  const { at, seq, backAt } = Object(value) as Partial<Record<keyof Kill, unknown>>
  if (typeof at !== 'number' || typeof seq !== 'number') return undefined
  return { at, seq, ...(typeof backAt === 'number' && { backAt }) }
}
