import type { Event } from '@interleave/core'
import { isSideCall } from '@interleave/core/internal'

/** Knows which turns a model was asked for, since a message that came later than that is for the turn after. */
export class AskedTurns {
  #latest = 0
  #waiting: { readonly iteration: number; readonly act: () => void } | undefined

  /** A model is asked, for the effect of this key. */
  ask(key: string): void {
    const iteration = Number.parseInt(key, 10)
    if (isSideCall(key) || Number.isNaN(iteration)) return
    this.#latest = iteration
    const { act } = this.#waiting?.iteration === iteration ? this.#waiting : {}
    if (!act) return
    this.#waiting = undefined
    act()
  }

  /** Acts at once, or once the model is asked for this turn. */
  whenAsked(iteration: number | undefined, act: () => void): void {
    if (iteration === undefined || this.#latest >= iteration) act()
    else this.#waiting = { iteration, act }
  }

  /** The page has ended: the turns are asked for again. */
  reset(): void {
    this.#latest = 0
    this.#waiting = undefined
  }
}

/** Returns the turn that was under way when a message came, which is the next one of the log. */
export function turnDuring(said: Event, after: readonly Event[]): number | undefined {
  const turn = after.find((event) => event.type === 'thought' || event.type === 'claimed' || event.type === 'settled')
  const isUnderWay =
    said.type === 'said' && turn?.type === 'thought' && turn.readUntil !== undefined && turn.readUntil <= said.seq
  return isUnderWay ? turn.iteration : undefined
}
