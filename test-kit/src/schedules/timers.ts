/** A clock that stands still until the scheduler lets a timer ring. */
export class Timers {
  readonly #set = new Set<{ readonly at: number; readonly ring: () => void }>()
  now: number

  constructor(now = 1_000) {
    this.now = now
  }

  get size(): number {
    return this.#set.size
  }

  set(ms: number, ring: () => void): () => void {
    const timer = { at: this.now + ms, ring }
    this.#set.add(timer)
    return () => void this.#set.delete(timer)
  }

  /** Moves the clock to the next timer. */
  ring(): void {
    const [next] = [...this.#set].sort((a, b) => a.at - b.at)
    if (!next) return
    this.#set.delete(next)
    this.now = Math.max(this.now, next.at)
    next.ring()
  }
}
