import { Page, type PageLeases, pageLeases, pause, type ToolCall, type WantedCall } from '@interleave/connect/internal'
import type { Host, Run } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import type { Inbox } from './ingress.ts'
import type { ResultCommand } from './sentCommand.ts'

export interface LeasedPagesOptions {
  readonly runId: string
  readonly inbox: Pick<Inbox, 'take'>
  readonly host: Pick<Host, 'timer'>
  /** Milliseconds in which a page is usually offered, before the run asks a user. */
  readonly withinMs: number
}

/** Milliseconds between two heartbeats of a process whose page executes a call. */
export const heartbeatMs = 3_000
/** The number of checks without a heartbeat after which the page counts as lost. */
const mostMissed = 3

interface RunningCall {
  readonly page: Page
  readonly call: string
  times: number
  missed: number
}

/** Runs calls in pages of other processes. A page is leased for one call. */
export class LeasedPages {
  readonly #options: LeasedPagesOptions
  readonly #leases: PageLeases
  readonly #running = new Map<string, RunningCall>()
  /** Calls that have a page, or no longer need it. */
  readonly #served = new Set<string>()
  readonly #closing = new AbortController()
  #isWatching = false

  constructor(options: LeasedPagesOptions) {
    this.#options = options
    this.#leases = pageLeases.openLeases(options.runId, options.withinMs)
  }

  /** Resolves with the call when it begins; undefined if it does not begin, or has another page. */
  async acceptPage(run: Run, { id, call, tool }: WantedCall & { readonly id: string }): Promise<ToolCall | undefined> {
    const begun = deferred<ToolCall | undefined>()
    const page: Page = new Page({
      tools: [tool],
      models: [],
      shows: () => true,
      post: (message) => {
        if (message.type === 'abort') this.#running.delete(id)
        if (message.type !== 'tool') return
        this.#running.set(id, { page, call, times: 0, missed: 0 })
        begun.resolve(message)
        void this.#watchHeartbeats()
      },
    })
    if (!(await this.#giveLease(run, { call, tool }, page))) return undefined
    this.#served.add(call)
    const leave = run.subscribe(() => isOver(run) && begun.resolve(undefined))
    if (isOver(run)) begun.resolve(undefined)
    return begun.promise.finally(leave)
  }

  /** Delivers the result. Results of an earlier attempt are ignored. */
  receiveResult({ lease, answer }: Pick<ResultCommand, 'lease' | 'answer'>): void {
    const running = this.#running.get(lease)
    if (!answer) this.#losePage(lease)
    else if (running?.page.receiveAnswer(answer)) this.#running.delete(lease)
  }

  close(): void {
    this.#closing.abort()
    this.#leases.closeLeases()
  }

  /** Waits until the call of a run that has just resumed requests a page. Returns true if it got this one. */
  async #giveLease(run: Run, wanted: WantedCall, page: Page): Promise<boolean> {
    const { signal } = this.#closing
    for (let left = 300; left > 0 && !isOver(run) && !signal.aborted; left--) {
      if (this.#leases.leasePage(wanted, page)) return true
      if (this.#served.has(wanted.call)) return false
      await pause(this.#options.host, 10, signal)
    }
    return false
  }

  async #watchHeartbeats(): Promise<void> {
    const { inbox, host } = this.#options
    const { signal } = this.#closing
    if (this.#isWatching) return
    this.#isWatching = true
    while (this.#running.size > 0 && !signal.aborted) {
      await pause(host, heartbeatMs, signal)
      // While Restate does not answer, no process can send a heartbeat.
      const taken = this.#running.size > 0 && !signal.aborted && (await inbox.take().catch(() => undefined))
      if (!taken) continue
      for (const [id, running] of this.#running) {
        this.#countHeartbeats(id, running, taken.heartbeats?.find(({ lease }) => lease === id)?.times ?? 0)
      }
    }
    this.#isWatching = false
  }

  #countHeartbeats(id: string, running: RunningCall, times: number): void {
    running.missed = times > running.times ? 0 : running.missed + 1
    running.times = times
    if (running.missed >= mostMissed) this.#losePage(id)
  }

  #losePage(id: string): void {
    const lost = this.#running.get(id)
    if (!lost) return
    this.#running.delete(id)
    // The call may need another page.
    this.#served.delete(lost.call)
    lost.page.loseCalls()
  }
}

const isOver = ({ state: { signal } }: Run): boolean => signal !== undefined && signal.type !== 'inputNeeded'
