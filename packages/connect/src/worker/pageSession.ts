import type { AgentHandle } from '@interleave/core'
import { AgentError, isAgentError, localHost } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { type HostMessage, isPageMessage, type NamedRequest, type PageMessage, type Repeated } from '../messages.ts'
import type { LogPosition, OwnedRun } from '../owner.ts'
import { Page, pageRegistry } from '../page.ts'
import { type Hello, type Life, unstored, whenGone } from './hello.ts'
import type { HostedRuns } from './hostedRuns.ts'

export interface PageSessionOptions {
  readonly hello: Hello
  readonly agent: AgentHandle
  readonly runs: HostedRuns
  /** Called when the page has left, or is gone. */
  readonly onClose?: () => void
}

/**
 * Milliseconds for the last messages of a page that has ended: a tool may have closed it. A port brings all of them before
 * it closes. A lock takes another way, and WebKit frees it before they arrive; the last of them is a `bye`, unless the
 * page has crashed.
 */
const lastWordsMs = { closed: 20, freed: 1_000 } as const

interface Shown {
  /** Commands wait until the run is open. */
  opening: Promise<unknown> | undefined
  /** Missing until then. */
  owned?: OwnedRun
  stopSending(): void
  readonly release: () => void
}

/** Serves one visit of a page: it answers requests, and sends the events of the runs that the page shows. */
export class PageSession {
  readonly #options: PageSessionOptions
  readonly #port: MessagePort
  readonly #page: Page
  readonly #shown = new Map<string, Shown>()
  #unwatch = (): void => {}

  constructor(life: Life, options: PageSessionOptions) {
    this.#options = options
    this.#port = life.port
    const { tools, models, begun } = options.hello
    this.#page = new Page({
      ...{ tools, models, begun, host: localHost },
      post: (message) => this.#post(message),
      shows: (id) => this.#shows(id),
      onSilent: () => this.#endVisit(),
    })
    this.#watch(life)
    pageRegistry.joinPage(this.#page)
    this.#port.addEventListener('message', ({ data }: MessageEvent) => {
      if (isPageMessage(data)) this.#receiveMessage(data)
    })
    this.#port.start()
  }

  #watch({ port, lock }: Life): void {
    this.#unwatch = whenGone({ port, lock }, (sign) => {
      localHost.timer(lastWordsMs[sign], () => this.#endVisit(), { background: true })
      if (sign === 'freed') this.#watch({ port, lock: undefined })
    })
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
        const start = (): OwnedRun => runs.startRun(agent, input, options)
        return this.#openRun(request, request.again ? () => this.#startAgain(id, start) : start)
      }
      case 'attach':
        return this.#openRun(request, () => runs.openRun(agent, request.run))
      case 'take':
        if (this.#page.takeCall(request.call)) return 0
        throw new AgentError('tool_interrupted', 'The worker has given up this call.')
      case 'leave':
        this.#hideRun(request.run)
        return 0
      case 'command':
        return (await this.#shownRun(request.run, (id) => runs.continueRun(agent, id))).applyCommand(request.command)
      case 'settle': {
        const { run, view } = await this.#shownRun(request.run, (id) => runs.registry.findItem(id))
        if (run.state.signal) await run.settled
        return view.log.length
      }
    }
  }

  /** Opens a run that an earlier worker may have started. What was not stored may have called tools. */
  async #startAgain(id: string, start: () => OwnedRun): Promise<OwnedRun> {
    const { agent, runs } = this.#options
    try {
      return await runs.openRun(agent, id)
    } catch (error) {
      if (!isAgentError(error) || error.code !== 'run_unknown') throw error
      if (runs.storesRuns(agent)) return start()
      throw new AgentError('worker_failed', unstored)
    }
  }

  async #openRun({ run: id, after }: Opening, open: () => OwnedRun | Promise<OwnedRun>): Promise<number> {
    const known = this.#shown.get(id)
    // Before the run continues: its first call may be one of a page tool.
    const shown = known ?? { opening: undefined, stopSending() {}, release: this.#options.runs.registry.useItem(id) }
    this.#shown.set(id, shown)
    pageRegistry.markUsed(this.#page)
    const opening = (async () => open())()
    shown.opening = opening
    try {
      const owned = await opening
      this.#sendEvents(owned, after)
      return owned.view.log.length
    } catch (error) {
      if (!known) this.#hideRun(id)
      throw error
    }
  }

  async #shownRun(
    id: string,
    find: (id: string) => OwnedRun | undefined | Promise<OwnedRun | undefined>,
  ): Promise<OwnedRun> {
    await this.#shown.get(id)?.opening?.catch(() => {})
    const owned = this.#shown.has(id) ? await find(id) : undefined
    if (!owned) throw new AgentError('run_unknown', `The run "${id}" is not open in the worker. Open it again.`)
    this.#sendEvents(owned)
    return owned
  }

  #sendEvents(owned: OwnedRun, after?: LogPosition): void {
    const { id } = owned
    const shown = this.#shown.get(id)
    // The page may have closed, or receive the events already.
    if (!shown || shown.owned === owned) return
    shown.stopSending()
    const send = (events: readonly AnyEvent[]): void => this.#post({ type: 'events', run: id, events })
    // It was loaded again, because another owner had resumed it.
    const has = shown.owned ? { length: 0, at: 0 } : after
    shown.owned = owned
    shown.stopSending = owned.sendEvents(send, has)
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

  /** Ends the visit of a page that seems to be gone. One that is alive greets again. */
  #endVisit(): void {
    this.#post({ type: 'bye' })
    this.#close()
  }

  #close(): void {
    this.#unwatch()
    this.#port.close()
    pageRegistry.removePage(this.#page)
    for (const id of [...this.#shown.keys()]) this.#hideRun(id)
    this.#page.loseCalls()
    this.#options.onClose?.()
  }
}

type Opening = { readonly run: string } & Repeated
