import type { Host } from '@interleave/core'

interface OwnerWatchOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds of silence until it counts as frozen. */
  readonly takeoverAfterMs: number
  readonly ping: () => void
  readonly onSilence: () => void
}

/** Notices that the owner does not answer. It pings: timers of a hidden tab are late, but it receives messages. */
export class OwnerWatch {
  readonly #options: OwnerWatchOptions
  readonly #paceMs: number
  #heardAt = 0
  #lookedAt = 0
  #cancel: (() => void) | undefined

  constructor(options: OwnerWatchOptions) {
    this.#options = options
    this.#paceMs = options.takeoverAfterMs / 4
  }

  start(): void {
    this.#cancel?.()
    this.#heardAt = this.#lookedAt = this.#options.host.now()
    this.#schedule()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Notes a sign of life of the owner. */
  noteLife(): void {
    this.#heardAt = this.#options.host.now()
  }

  /** Returns true if the owner does not respond. Always false while it is not watched. */
  isSilent(): boolean {
    const { host, takeoverAfterMs } = this.#options
    return this.#cancel !== undefined && host.now() - this.#heardAt >= takeoverAfterMs
  }

  #schedule(): void {
    this.#cancel = this.#options.host.timer(this.#paceMs, () => this.#look())
  }

  #look(): void {
    const { host, takeoverAfterMs, ping, onSilence } = this.#options
    const now = host.now()
    if (now - this.#lookedAt > takeoverAfterMs / 2) this.#heardAt = now
    this.#lookedAt = now
    this.#schedule()
    if (now - this.#heardAt >= this.#paceMs) ping()
    if (this.isSilent()) onSilence()
  }
}
