import type { ForkPoint } from '@interleave/core/internal'
import { assertOption, DEV, plainContent } from '@interleave/core/internal'
import type { Request, Transport } from '../remoteRuns.ts'
import { HttpRun, type HttpRunListener, type HttpRunOptions } from './httpRun.ts'

export interface HttpTransportOptions extends HttpRunOptions {
  readonly listen: (runId: string) => HttpRunListener
}

/** Sends requests to a server by HTTP, and reads the events of its runs from streams. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  /** The runs in this page, each from its first request until it has neither a request nor a stream. */
  readonly #runs = new Map<string, HttpRun>()

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  async sendRequest(request: Request, signal?: AbortSignal): Promise<number> {
    const { run: id } = request
    // Events of a server are in its journal.
    if (request.type === 'settle') return 0
    if (request.type === 'leave') {
      this.#runs.get(id)?.close()
      this.#runs.delete(id)
      return 0
    }
    const run = this.#openRun(id)
    run.requests++
    try {
      const length = await run.sendRequest(request, signal)
      // The server is there, and lets this page in.
      for (const each of this.#runs.values()) each.reopenStream()
      return length
    } finally {
      run.requests--
      if (!run.isInUse) this.#forget(id, run)
    }
  }

  cancelRequests(runId: string, error: Error): void {
    this.#runs.get(runId)?.cancelRequests(error)
  }

  async forkRun(run: string, { id, at, edit }: ForkPoint & { readonly id: string }): Promise<void> {
    const isSupported = edit === undefined || 'content' in edit
    assertOption(isSupported, DEV && 'A server can edit only messages of users: fork with `edit: { content }`.')
    await this.#runs.get(run)?.starting
    const body = { ...(at !== undefined && { at }), ...(edit && { content: plainContent(edit.content) }) }
    // The client counts as connected: it opens the fork next.
    const path = `runs/${encodeURIComponent(id)}/fork?${new URLSearchParams({ of: run, ...this.#options.client })}`
    await this.#options.server.call(path, { method: 'POST', body })
  }

  #openRun(id: string): HttpRun {
    const known = this.#runs.get(id)
    if (known) return known
    const listener = this.#options.listen(id)
    const run: HttpRun = new HttpRun(id, this.#options, {
      ...listener,
      onFailure: (error) => {
        this.#forget(id, run)
        listener.onFailure(error)
      },
    })
    this.#runs.set(id, run)
    return run
  }

  /** Forgets a run, unless it was closed and opened again meanwhile. */
  #forget(id: string, run: HttpRun): void {
    if (this.#runs.get(id) === run) this.#runs.delete(id)
  }
}
