/** The durable length of a log, and the waiters for more. */
export interface Kept {
  readonly length: number
  /** So much is kept. */
  reach(length: number): void
  /** Resolves when so much is. */
  until(length: number): Promise<void>
}

export function createKept(): Kept {
  let kept = 0
  const waiting = new Set<{ readonly length: number; readonly goOn: () => void }>()
  return {
    get length() {
      return kept
    },
    reach(length) {
      kept = Math.max(kept, length)
      for (const each of waiting) {
        if (kept < each.length) continue
        waiting.delete(each)
        each.goOn()
      }
    },
    until: (length) =>
      new Promise((goOn) => {
        if (kept >= length) goOn()
        else waiting.add({ length, goOn })
      }),
  }
}
