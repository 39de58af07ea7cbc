import { keptHere } from '@interleave/core/internal'
import type { Page } from './page.ts'

/** A call that waits for a page. */
export interface WantedCall {
  /** Its idempotency key, which no other call of any run has. */
  readonly call: string
  readonly tool: string
}

/** Returns the key of the note that a call waits for a page. Its value is the name of the tool. */
export const wantedPageOf = (call: string): string => `${call}/page`

/** Leases pages of other processes to one run and its descendants. */
export class PageLeases {
  readonly wanted: Map<string, { readonly tool: string; resolve(): void }> = new Map()
  readonly leased: Map<string, Page> = new Map()
  /** Milliseconds in which a page of another process is usually offered. */
  readonly withinMs: number
  readonly #close: (leases: PageLeases) => void

  constructor(withinMs: number, close: (leases: PageLeases) => void) {
    this.withinMs = withinMs
    this.#close = close
  }

  /** Leases the page to the call. Returns false if the call does not wait for a page, or has one. */
  leasePage({ call, tool }: WantedCall, page: Page): boolean {
    const waiting = this.wanted.get(call)
    if (waiting?.tool !== tool) return false
    this.wanted.delete(call)
    this.leased.set(call, page)
    waiting.resolve()
    return true
  }

  /** Ends the leases that were not used. The run accepts no pages any more. */
  closeLeases(): void {
    this.wanted.clear()
    this.leased.clear()
    this.#close(this)
  }
}

/** Pages of other processes, each leased to one call of a run that executes in this one. No other call can use them. */
export class PageLeaseRegistry {
  readonly #byRun = new Map<string, PageLeases>()

  /** Lets pages be leased to this run. The latest owner of the run has the leases. */
  openLeases(runId: string, withinMs: number): PageLeases {
    const leases = new PageLeases(withinMs, (closed) => {
      if (this.#byRun.get(runId) === closed) this.#byRun.delete(runId)
    })
    this.#byRun.set(runId, leases)
    return leases
  }

  /** Returns how long a call waits for a page before users are asked for one; undefined if none can be leased. */
  withinMs(runId: string): number | undefined {
    return this.#byRun.get(runId)?.withinMs
  }

  /** Resolves when a page is leased to the call; never after the signal aborts, or if the run accepts none. */
  nextLease({ call, tool }: WantedCall, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const leases = this.#leasesOf(call)
      if (!leases || signal.aborted) return
      const waiting = { tool, resolve }
      // A page that was leased to an earlier attempt cannot be used.
      leases.leased.delete(call)
      leases.wanted.set(call, waiting)
      const giveUp = (): void => void (leases.wanted.get(call) === waiting && leases.wanted.delete(call))
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Returns the page that was leased to this call, once. */
  useLease(call: string): Page | undefined {
    const leases = this.#leasesOf(call)
    const page = leases?.leased.get(call)
    leases?.leased.delete(call)
    return page
  }

  /** Returns the leases of the call's run, or of its nearest ancestor. */
  #leasesOf(call: string): PageLeases | undefined {
    for (let end = call.lastIndexOf('/'); end > 0; end = call.lastIndexOf('/', end - 1)) {
      const found = this.#byRun.get(call.slice(0, end))
      if (found) return found
    }
    return undefined
  }
}

/** The leases of this process, global for the same reason as `pageRegistry`. */
export const pageLeases: PageLeaseRegistry = keptHere('page leases', () => new PageLeaseRegistry())
