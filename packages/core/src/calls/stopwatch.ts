import { elapsedOf, type Host } from '../host.ts'
import type { Clock } from '../run.ts'

/** Measures the time that a tool works: without the time in which it waits for users. */
export class Stopwatch implements Clock {
  /** The time as of the last stop. */
  ms = 0
  readonly #host: Pick<Host, 'now' | 'elapsed'>
  #startedAt: number | undefined = undefined

  constructor(host: Pick<Host, 'now' | 'elapsed'>) {
    this.#host = host
  }

  start(): void {
    this.#startedAt ??= elapsedOf(this.#host)
  }

  stop(): void {
    if (this.#startedAt === undefined) return
    this.ms += Math.max(0, elapsedOf(this.#host) - this.#startedAt)
    this.#startedAt = undefined
  }

  /** Resets the time, because the tool is executed again. */
  reset(): void {
    this.ms = 0
    this.#startedAt = undefined
  }
}
