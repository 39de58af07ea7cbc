import type { Page } from './page.ts'

/** A call that waits for a page. */
export interface WantedCall {
  /** Its idempotency key, which no other call of any run has. */
  readonly call: string
  readonly tool: string
}

/** Takes pages that other processes lend to one run, and to those below it. */
export interface PageBorrower {
  /** Has this page perform the call. False where the call does not wait for a page, or has one: nothing comes of it then. */
  lend(wanted: WantedCall, page: Page): boolean
  /** Nothing is lent to the run any more, and what was lent and not used is forgotten. */
  close(): void
}

/** Pages of other processes, each lent to one call of a run that works in this one. They are in no roll: no other call has them. */
export interface LentPages {
  /** Pages may be lent to this run from now on. Who opens it last has it. */
  open(runId: string, options: BorrowerOptions): PageBorrower
  /**
   * Milliseconds for which a call of this very run waits for a page before people are asked for one. Undefined where none can come:
   * of a run below another one those who have pages see nothing but its questions.
   */
  withinMs(runId: string): number | undefined
  /** Resolves when a page is lent to the call. Never, if the wait is given up, or the run takes none. */
  coming(wanted: WantedCall, until: AbortSignal): Promise<void>
  /** The page that was lent to this call, once. */
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
