import { retryDelay, type ServerEvent } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'

/** The position in a stream, from which its server can continue it. */
export class StreamPosition {
  #id: string | undefined
  #retryMs: number | undefined

  /** True if the server can continue the stream. */
  get isKnown(): boolean {
    return this.#id !== undefined
  }

  /** The headers of a request that continues the stream. */
  get headers(): Readonly<Record<string, string>> {
    return this.#id === undefined ? {} : { 'last-event-id': this.#id }
  }

  /** Returns the milliseconds after which the stream may be opened again. */
  delayMs(attempt: number): number {
    if (this.#retryMs === undefined) return retryDelay(Math.min(attempt, mostDoublings), localHost)
    return Math.min(Math.max(this.#retryMs, leastRetryMs), mostRetryMs)
  }

  move({ id, retryMs }: Pick<ServerEvent, 'id' | 'retryMs'>): void {
    // A header cannot contain others.
    if (id !== undefined && /^[ -~]{1,1000}$/.test(id)) this.#id = id
    if (retryMs !== undefined) this.#retryMs = retryMs
  }

  /** Forgets an id that the server does not know any more. */
  reset(): void {
    this.#id = undefined
  }
}
const leastRetryMs = 50
const mostRetryMs = 30_000
const mostDoublings = 20
