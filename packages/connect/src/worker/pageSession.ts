import type { AgentHandle } from '@interleave/core'
import { AgentError, localHost } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { type HostMessage, isPageMessage, type NamedRequest, type PageMessage } from '../messages.ts'
import type { OwnedRun } from '../owner.ts'
import { Page, pageRegistry } from '../page.ts'
import type { Hello } from './hello.ts'
import { type Life, whenGone } from './hello.ts'
import type { HostedRuns } from './hostedRuns.ts'

export interface PageSessionOptions {
  readonly hello: Hello
  readonly agent: AgentHandle
  readonly runs: HostedRuns
}

/** Milliseconds for the last messages of a closed page: a tool may have closed it. */
const graceMs = 20

interface Shown {
  /** Missing while the run is being opened. */
  owned?: OwnedRun
  stopSending(): void
  readonly release: () => void
}

/** Serves one page for as long as it lives: it answers requests, and sends the events of the runs that the page shows. */
export class PageSession {
  readonly #options: PageSessionOptions
  readonly #port: MessagePort
  readonly #page: Page
  readonly #shown = new Map<string, Shown>()
  readonly #unwatch: () => void

  constructor(life: Life, options: PageSessionOptions) {
    this.#options = options
    this.#port = life.port
    const { tools, models } = options.hello
    this.#page = new Page({ tools, models, post: (message) => this.#post(message), shows: (id) => this.#shows(id) })
    // Its last messages may still be on their way.
    this.#unwatch = whenGone(life, () => void localHost.timer(graceMs, () => this.#close()))
    pageRegistry.addPage(this.#page)
    this.#port.addEventListener('message', ({ data }: MessageEvent) => {
      if (isPageMessage(data)) this.#receiveMessage(data)
    })
    this.#port.start()
  }

  #post(message: HostMessage): void {
    this.#port.postMessage(message)
  }

  #receiveMessage(message: PageMessage): void {
    if (message.type === 'bye') this.#close()
    else if ('id' in message) void this.#answerRequest(message)
    else this.#page.receiveAnswer(message)
  }

  async #answerRequest(request: NamedRequest): Promise<void> {
    const { id } = request
    if (request.type === 'command') pageRegistry.markUsed(this.#page)
    try {
      this.#post({ type: 'done', id, length: await this.#execute(request) })
    } catch (error) {
      this.#post({ type: 'undone', id, failure: toFailure(error, 'worker_failed') })
    }
  }

  /** Returns the length of the durable log after the request. */
  async #execute(request: NamedRequest): Promise<number> {
    const { agent, runs } = this.#options
    switch (request.type) {
      case 'start': {
        const { run: id, input, key, history } = request
        const options = { id, ...(key !== undefined && { key }), ...(history && { history }) }
        return this.#openRun(id, () => runs.startRun(agent, input, options))
      }
      case 'attach':
        return this.#openRun(request.run, () => runs.openRun(agent, request.run))
      case 'leave':
        this.#hideRun(request.run)
        return 0
      case 'command':
        return this.#shownRun(request.run).applyCommand(request.command)
      case 'settle': {
        const { run, view } = this.#shownRun(request.run)
        if (run.state.rest) await run.settled
        return view.log.length
      }
    }
  }

  async #openRun(id: string, open: () => OwnedRun | Promise<OwnedRun>): Promise<number> {
    const isNew = !this.#shown.has(id)
    // Before the run continues: its first call may be one of a page tool.
    if (isNew) this.#shown.set(id, { stopSending() {}, release: this.#options.runs.registry.useItem(id) })
    pageRegistry.markUsed(this.#page)
    try {
      const owned = await open()
      this.#sendEvents(owned)
      return owned.view.log.length
    } catch (error) {
      if (isNew) this.#hideRun(id)
      throw error
    }
  }

  #shownRun(id: string): OwnedRun {
    const owned = this.#shown.has(id) ? this.#options.runs.registry.findItem(id) : undefined
    if (!owned) throw new AgentError('run_unknown', `This page has no run "${id}" in the worker.`)
    this.#sendEvents(owned)
    return owned
  }

  #sendEvents(owned: OwnedRun): void {
    const { id } = owned
    const shown = this.#shown.get(id)
    // The page may have closed, or receive the events already.
    if (!shown || shown.owned === owned) return
    shown.stopSending()
    const send = (events: readonly AnyEvent[]): void => this.#post({ type: 'events', run: id, events })
    // It was loaded again, because another owner had resumed it.
    if (shown.owned) send([{ type: 'rewound', to: 0 }])
    shown.owned = owned
    shown.stopSending = owned.sendEvents(send)
  }

  #hideRun(id: string): void {
    const shown = this.#shown.get(id)
    this.#shown.delete(id)
    shown?.stopSending()
    shown?.release()
  }

  /** Returns true if the page shows this run, or an ancestor of it. */
  #shows(runId: string): boolean {
    return this.#shown.has(runId) || [...this.#shown.keys()].some((id) => runId.startsWith(`${id}/`))
  }

  #close(): void {
    this.#unwatch()
    this.#port.close()
    pageRegistry.removePage(this.#page)
    for (const id of [...this.#shown.keys()]) this.#hideRun(id)
    this.#page.loseCalls()
  }
}
