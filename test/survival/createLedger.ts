import type { Event, RunState } from '@interleave/core'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'

/** A page or worker that goes on with the run. */
export interface Life {
  /** The last event that was kept of the one before; none where there was none. */
  readonly after?: Event['type']
  /** Milliseconds from the load of the page, or the start of the worker, until the run went on. */
  readonly loadMs: number
  /** The part of it that the run itself took. */
  readonly openMs: number
}

/** The world's record of one run: none of it is lost when a page dies. */
export interface Ledger {
  /** The first message of the run. */
  readonly message: string
  readonly shop: Shop
  readonly lives: Life[]
  /**
   * The latest question whether a call ran to which a user answered that it had not been tried, and the time of the
   * first such answer, by the key of the call.
   */
  readonly toldUntried: Map<string, { readonly interruption: number; readonly at: number }>
  /** The requests to the server, oldest first. */
  readonly requests: string[]
  /** The errors of pages. */
  readonly faults: string[]
  /** The time of the latest kill, in milliseconds since the epoch. */
  killedAt: number
  /** The number of times that an owner found another owner. */
  conflicts: number
  end?: { readonly log: readonly Event[]; readonly state: RunState }
  /** The next request of this tool is not answered; resolves when it is there. */
  hold(name: string): Promise<void>
  held(name: string): boolean
  /** Notifies waiters. Call it after each change. */
  changed(): void
  /** Resolves when this is so, and rejects when something went wrong or it takes too long. */
  until(isSo: () => boolean): Promise<void>
}

const calls = 30

export function createLedger(message: string, delayMs: () => number): Ledger {
  let watching: (() => void)[] = []
  let holding: string | undefined
  const ledger: Ledger = {
    message,
    shop: createShop({ calls, delayMs }),
    lives: [],
    toldUntried: new Map(),
    requests: [],
    faults: [],
    killedAt: 0,
    conflicts: 0,
    hold(name) {
      holding = name
      return ledger.until(() => holding === undefined)
    },
    held(name) {
      if (holding !== name) return false
      holding = undefined
      return true
    },
    changed() {
      for (const watch of [...watching]) watch()
    },
    until(isSo) {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          watching = watching.filter((other) => other !== watch)
          clearTimeout(timer)
          settle()
        }
        const watch = (): void => {
          if (ledger.faults.length > 0) end(() => reject(new Error(ledger.faults.join('\n'))))
          else if (isSo()) end(resolve)
        }
        const tooLate = (): void => {
          const latest = ledger.requests.slice(-12).join(', ')
          end(() => reject(new Error(`The run does not go on after ${ledger.lives.length} lives and ${latest}.`)))
        }
        const timer = setTimeout(tooLate, 50_000)
        watching.push(watch)
        watch()
      })
    },
  }
  return ledger
}
