import type { Host } from '@interleave/core'
import { elapsedMs } from '../wait.ts'

interface OwnerWatchOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds of silence until the owner counts as frozen. */
  readonly takeoverAfterMs: number
  readonly ping: () => void
  readonly onSilence: () => void
}

/** Notices that the owner does not answer. It pings: timers of a hidden tab are late, but it receives messages. */
export class OwnerWatch {
  readonly #options: OwnerWatchOptions
  readonly #paceMs: number
  #aliveAt = 0
  #checkedAt = 0
  #cancel: (() => void) | undefined

  constructor(options: OwnerWatchOptions) {
    this.#options = options
    this.#paceMs = options.takeoverAfterMs / 4
  }

  start(): void {
    this.#cancel?.()
    this.#aliveAt = this.#checkedAt = this.#options.host.now()
    this.#schedule()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Notes a sign of life of the owner. */
  noteLife(): void {
    this.#aliveAt = this.#options.host.now()
  }

  /** Returns true if the owner does not respond. Always false while it is not watched. */
  isSilent(): boolean {
    const { host, takeoverAfterMs } = this.#options
    return this.#cancel !== undefined && host.now() - this.#aliveAt >= takeoverAfterMs
  }

  #schedule(): void {
    this.#cancel = this.#options.host.timer(this.#paceMs, () => this.#check())
  }

  #check(): void {
    const { host, takeoverAfterMs, ping, onSilence } = this.#options
    const now = host.now()
    if (elapsedMs(this.#checkedAt, now) > takeoverAfterMs / 2) this.#aliveAt = now
    this.#checkedAt = now
    this.#schedule()
    if (now - this.#aliveAt >= this.#paceMs) ping()
    if (this.isSilent()) onSilence()
  }
}
