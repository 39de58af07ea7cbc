/** The effects in the world, by idempotency key. */
export interface Deed {
  readonly name: string
  readonly input: string
  readonly receipt: string
}

/** The record of the effects of all runs. No crash touches it. */
export interface Ledger {
  /** Requests of tools by idempotency key. */
  readonly attempts: Map<string, number>
  readonly deeds: Map<string, readonly Deed[]>
  /** The number of requests for a turn of a conversation. */
  readonly turns: Map<string, number>
}

export const createLedger = (): Ledger => ({ attempts: new Map(), deeds: new Map(), turns: new Map() })

/** Counts one more, and gives how many there are. */
export function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
