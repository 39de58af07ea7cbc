import type { Event, RunState } from '@interleave/core'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'

/** A page or worker that goes on with the run. */
export interface Life {
  /** The last event that was kept of the one before; none where there was none. */
  readonly after?: Event['type']
  /** Milliseconds from the load of the page, or the start of the worker, until the run went on. */
  readonly loadMs: number
  /** How many of these were the run's own. */
  readonly openMs: number
}

/** What the world knows of one run: nothing of it is lost when a page dies. */
export interface Ledger {
  /** What the run begins with. */
  readonly message: string
  readonly shop: Shop
  readonly lives: Life[]
  /** The latest doubt about a call, by its key, in which somebody was told that it had not been tried yet, and when that was first. */
  readonly toldUntried: Map<string, { readonly doubt: number; readonly at: number }>
  /** What was asked of the server, oldest first. */
  readonly requests: string[]
  /** What went wrong in a page. */
  readonly faults: string[]
  /** How often an owner found that another one had gone on. */
  conflicts: number
  end?: { readonly log: readonly Event[]; readonly state: RunState }
  /** The next request of this tool is not answered; resolves when it is there. */
  hold(name: string): Promise<void>
  held(name: string): boolean
  /** To be called after each change. */
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
