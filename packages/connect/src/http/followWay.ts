import { type AnyEvent, isKept } from '@interleave/core/observe'
import type { Places } from './pagePlaces.ts'

/** Milliseconds between two requests for a run that works, if there is no stream. */
const workingMs = 1_000
/** Milliseconds between two requests for a settled run, at first and at most. */
const firstPauseMs = 2_000
const longestPauseMs = 15_000
/** Milliseconds between two requests of a hidden page for a run that works. */
const hiddenMs = 20_000
/** The same if the page runs tools: it counts as gone after 15 seconds. */
const servingMs = 5_000
/** The longest time between two requests if the server says that there are too many. */
const longestBusyMs = 8_000

/**
 * Decides how a run is followed: by a stream, or by requests from time to time. A page keeps no stream open for a settled
 * run, nor while it is hidden, unless it runs tools.
 */
export class FollowWay {
  /** True if the run is settled, as far as is known. */
  isSettled = false
  readonly #places: Places
  readonly #servesTools: boolean
  #isFull = false
  #pauseMs = firstPauseMs
  #busyMs = workingMs

  constructor(places: Places, servesTools: boolean) {
    this.#places = places
    this.#servesTools = servesTools
  }

  /** True if a stream that is open has to be closed. */
  get isOver(): boolean {
    const { areFew, isHidden } = this.#places
    return areFew && (this.isSettled || (isHidden && !this.#servesTools))
  }

  receiveEvent(event: AnyEvent): void {
    if (!isKept(event) && event.type !== 'rewound') return
    this.isSettled = event.type === 'settled'
    this.#pauseMs = firstPauseMs
  }

  /** Takes a place for a stream. Returns the function that returns it; undefined if there should be no stream now. */
  async takePlace(now: number): Promise<(() => void) | undefined> {
    this.#isFull = false
    if (this.isOver || now < this.#places.heldUntil) return undefined
    const release = await this.#places.takePlace()
    this.#isFull = release === undefined
    return release
  }

  /** Returns the milliseconds until the next request, after one that the server answered. */
  nextMs(now: number): number {
    const { isHidden, heldUntil, areFew } = this.#places
    if (areFew && isHidden) return this.isSettled ? Number.POSITIVE_INFINITY : this.#servesTools ? servingMs : hiddenMs
    if (this.isSettled) {
      const ms = this.#pauseMs
      this.#pauseMs = Math.min(longestPauseMs, ms * 1.5)
      return ms
    }
    if (!this.#isFull && now >= heldUntil) return 0
    const ms = this.#busyMs
    this.#busyMs = Math.max(workingMs, ms * 0.9)
    return ms
  }

  /** Asks less often: the server says that there were too many requests. */
  slowDown(): void {
    this.#busyMs = Math.min(longestBusyMs, this.#busyMs * 2)
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
  }

  /** Asks often again, since there may be something new. */
  hurry(): void {
    this.#pauseMs = firstPauseMs
  }
}
