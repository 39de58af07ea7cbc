import type { Page } from './page.ts'

/** A call that waits for a page. */
export interface WantedCall {
  /** Its idempotency key, which no other call of any run has. */
  readonly call: string
  readonly tool: string
}

/** Accepts page leases for one run and its descendants from other processes. */
export interface PageBorrower {
  /** Has this page perform the call. False where the call does not wait for a page, or has one: nothing comes of it then. */
  lend(wanted: WantedCall, page: Page): boolean
  /** Ends leasing for the run, and drops unused leases. */
  close(): void
}

/**
 * Pages of other processes, each leased to one call of a run in this process. They are not in the registry, so no other
 * call gets them.
 */
export interface LentPages {
  /** Allows leases for this run from now on. The latest to open it owns it. */
  open(runId: string, options: BorrowerOptions): PageBorrower
  /**
   * Milliseconds that a call of this run waits for a page before the run asks a user for one. Undefined if none can
   * come: page owners see only the questions of a child run.
   */
  withinMs(runId: string): number | undefined
  /** Resolves when a page is leased to the call. Stays pending if the wait is abandoned, or if the run accepts none. */
  coming(wanted: WantedCall, until: AbortSignal): Promise<void>
  /** Returns the page that was leased to this call, once. */
  take(call: string): Page | undefined
}

export interface BorrowerOptions {
  /** Milliseconds in which a page elsewhere usually says that it is there. */
  readonly withinMs: number
}

/** The note that a call waits for a page. Its value is the name of the tool. */
export const wantedPageOf = (call: string): string => `${call}/page`

interface Borrowing extends BorrowerOptions {
  readonly wanted: Map<string, { readonly tool: string; resolve(): void }>
  readonly lent: Map<string, Page>
}

export function createLentPages(): LentPages {
  const borrowings = new Map<string, Borrowing>()
  /** The run that the call is of, or the nearest one above it. */
  const borrowingOf = (call: string): Borrowing | undefined => {
    for (let end = call.lastIndexOf('/'); end > 0; end = call.lastIndexOf('/', end - 1)) {
      const found = borrowings.get(call.slice(0, end))
      if (found) return found
    }
    return undefined
  }
  return {
    open(runId, { withinMs }) {
      const own: Borrowing = { withinMs, wanted: new Map(), lent: new Map() }
      borrowings.set(runId, own)
      return {
        lend({ call, tool }, page) {
          const waiting = own.wanted.get(call)
          if (waiting?.tool !== tool) return false
          own.wanted.delete(call)
          own.lent.set(call, page)
          waiting.resolve()
          return true
        },
        close() {
          own.wanted.clear()
          own.lent.clear()
          if (borrowings.get(runId) === own) borrowings.delete(runId)
        },
      }
    },
    withinMs: (runId) => borrowings.get(runId)?.withinMs,
    coming: ({ call, tool }, until) =>
      new Promise((resolve) => {
        const own = borrowingOf(call)
        if (!own || until.aborted) return
        const waiting = { tool, resolve }
        // What was lent to an earlier attempt is of no use to this one.
        own.lent.delete(call)
        own.wanted.set(call, waiting)
        const giveUp = (): void => void (own.wanted.get(call) === waiting && own.wanted.delete(call))
        until.addEventListener('abort', giveUp, { once: true })
      }),
    take(call) {
      const own = borrowingOf(call)
      const page = own?.lent.get(call)
      own?.lent.delete(call)
      return page
    },
  }
}

/** Of this process, for the same reason as `pageRoll`. */
export const lentPages: LentPages = createLentPages()
