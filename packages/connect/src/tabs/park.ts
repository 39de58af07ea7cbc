import type { Host } from '@interleave/core'
import type { Feed, Owner } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { isKept } from '@interleave/core/observe'

/** A run that may be parked: a `TabRun`. */
export interface ParkableRun {
  readonly feed: Feed
  readonly options: {
    readonly id: string
    readonly journal: Journal
    readonly host: Host
    readonly takeoverAfterMs: number
  }
  readonly owner: Owner
  readonly executing: { readonly isBusy: boolean; readonly settled: Promise<unknown> | undefined } | undefined
  readonly isClosed: boolean
  readonly isAway: boolean
  readonly isParked: boolean
  followOwner(): void
  parkRun(): void
}

/** Parks a settled run: its tab releases the lock after a while, and takes it again for the next command. */
export class Parking {
  readonly #tab: ParkableRun
  readonly #unsubscribe: () => void
  #cancelTimer = (): void => {}

  constructor(tab: ParkableRun) {
    this.#tab = tab
    this.#unsubscribe = tab.feed.subscribe((event) => {
      if (isKept(event) || event.type === 'owned') this.update()
    })
  }

  /** Parks the run, or follows it again, if necessary. */
  update(): void {
    const tab = this.#tab
    this.#cancelTimer()
    if (tab.isParked && !this.#isFinished()) tab.followOwner()
    if (!this.#canPark()) return
    const { host, takeoverAfterMs } = tab.options
    this.#cancelTimer = host.timer(takeoverAfterMs, () => void this.#park().then((isDone) => isDone || this.update()))
  }

  stop(): void {
    this.#cancelTimer()
    this.#unsubscribe()
  }

  /** Returns true if the run has finished. A run that waits for an answer keeps its owner. */
  #isFinished(): boolean {
    const { signal } = this.#tab.feed.state
    return signal !== undefined && signal.type !== 'inputNeeded'
  }

  #canPark(): boolean {
    const { isClosed, isAway, owner, executing } = this.#tab
    return !isClosed && !isAway && owner === 'here' && executing !== undefined && this.#isFinished()
  }

  async #park(): Promise<boolean> {
    const tab = this.#tab
    const { executing } = tab
    const { seq } = tab.feed.state
    await executing?.settled
    if (!(await this.#isDurable(seq)) || !this.#canPark()) return true
    if (tab.executing !== executing || tab.feed.state.seq !== seq || executing?.isBusy) return false
    tab.parkRun()
    return true
  }

  /** Returns true if the journal has all events. Events that do not fit into the journal are in this tab alone. */
  async #isDurable(length: number): Promise<boolean> {
    const { id, journal } = this.#tab.options
    try {
      return (await journal.read(id, length - 1)).length === 1
    } catch {
      return false
    }
  }
}
