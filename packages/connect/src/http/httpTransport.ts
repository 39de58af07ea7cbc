import type { Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import type { Command, ForkPoint, RemoteLink } from '@interleave/core/internal'
import { assertOption, plainContent, Queues } from '@interleave/core/internal'
import type { Request, Transport } from '../remoteRuns.ts'
import { until } from '../wait.ts'
import { asReadRun, lengthOf, type ReadRun } from './answers.ts'
import { Connection, type ConnectionListener } from './connection.ts'
import type { Token } from './frame.ts'
import { RunLink } from './runLink.ts'
import type { Server, ServerRequest } from './server.ts'

export interface HttpTransportOptions {
  /** The agent's name. */
  readonly agent: string
  readonly server: Pick<Server, 'call' | 'open' | 'reportSlow'>
  readonly host: Pick<Host, 'timer' | 'newId' | 'now'>
  /** Query parameters: the client, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly listen: (runId: string) => Omit<ConnectionListener, 'onToken'>
  /** Called when the link of a run's stream changes; undefined if there is no stream any more. */
  readonly onStream: (runId: string, link: RemoteLink | undefined) => void
}

/** The stream of one run, and the tokens for its open questions. */
interface Stream {
  readonly connection: Connection
  readonly tokens: Map<string, Token>
}

/** A run in this page, from its first request until it has neither a request nor a stream. */
interface OpenRun {
  readonly cancel: AbortController
  readonly link: RunLink
  /** The messages that are being sent, by key, in the order in which they were said. */
  readonly says: Map<string, Promise<number>>
  /** The number of current requests. */
  requests: number
  stream: Stream | undefined
}

interface Sending {
  readonly untilAnswered?: boolean
  readonly withdrawn?: AbortSignal | undefined
}

/** Sends requests to a server by HTTP, and reads the events of its runs from streams. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #runs = new Map<string, OpenRun>()
  /** Runs whose start has no answer yet. */
  readonly #starting = new Queues()

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  async sendRequest(request: Request, signal?: AbortSignal): Promise<number> {
    const { run } = request
    switch (request.type) {
      case 'start':
        return this.#during(run, () => this.#start(request, signal))
      case 'attach':
        return this.#during(run, () => this.#attach(run))
      case 'command':
        return this.#during(run, () => this.#sendCommand(run, request.command, signal))
      case 'leave':
        this.#runs.get(run)?.stream?.connection.close()
        this.#forget(run)
        return 0
      case 'settle':
        // Events of a server are in its journal.
        return 0
    }
  }

  cancelRequests(runId: string, error: Error): void {
    this.#runs.get(runId)?.cancel.abort(error)
  }

  async forkRun(run: string, { id, at, edit }: ForkPoint & { readonly id: string }): Promise<void> {
    const canBe = edit === undefined || 'content' in edit
    assertOption(canBe, 'A server changes nothing but words of users: fork with edit: { content }.')
    await this.#starting.settled(run)
    const body = { id, ...(at !== undefined && { at }), ...(edit && { content: plainContent(edit.content) }) }
    await this.#options.server.call(pathTo(run, 'fork'), { method: 'POST', body })
  }

  async #start(
    { run, input, key, history }: Extract<Request, { type: 'start' }>,
    withdrawn?: AbortSignal,
  ): Promise<number> {
    assertOption(!history, 'A server takes no history from elsewhere. Resume the run, or say what matters of it.')
    const { signal } = this.#openRun(run).cancel
    this.#openRun(run).link.stream = { type: 'connecting' }
    const { agent } = this.#options
    const body = { agent, id: run, input, ...(key !== undefined && { key }) }
    const started = this.#post(run, 'runs', body, { untilAnswered: true, withdrawn })
    this.#starting.setLatest(run, started)
    const length = await started
    // It may have been closed meanwhile.
    if (!signal.aborted) this.#openStream(run)
    return length
  }

  async #attach(run: string): Promise<number> {
    const { signal } = this.#openRun(run).cancel
    const { agent: is, length } = await this.#readRun(run)
    if (is !== this.#options.agent)
      throw new AgentError('agent_mismatch', `The run "${run}" is of the agent "${is}". Resume it with that one.`)
    if (!signal.aborted) this.#openStream(run)
    return length
  }

  async #sendCommand(run: string, command: Command, withdrawn?: AbortSignal): Promise<number> {
    // The server does not know a run before it has started it, and another process of it might get the request.
    const starting = this.#starting.settled(run)
    if (starting) await until(starting, { signal: withdrawn })
    switch (command.type) {
      case 'say':
        return this.#say(run, command, withdrawn)
      case 'reply':
        return this.#reply(run, command)
      case 'stop':
        return this.#post(run, pathTo(run, 'stop'), { reason: command.reason })
      case 'disallow':
        return this.#post(run, pathTo(run, 'disallow'), { id: command.id })
      case 'resume':
        return this.#post(run, pathTo(run, 'resume'), { after: this.#openStream(run).connection.next })
    }
  }

  /**
   * Sends a message after the earlier ones, since requests that are retried overtake each other. One that interrupts the turn, or is sent
   * again, waits for none.
   */
  async #say(
    run: string,
    { type: _, ...body }: Extract<Command, { type: 'say' }>,
    withdrawn?: AbortSignal,
  ): Promise<number> {
    const { says, stream } = this.#openRun(run)
    const { key, now } = body
    const isRepeated = says.has(key)
    const earlier = now || isRepeated ? [] : [...says.values()]
    const sent = until(Promise.allSettled(earlier), { signal: this.#signalOf(run, withdrawn) }).then(() =>
      // Without a stream nothing shows that it is being sent, so its caller learns within a minute that it was not.
      this.#post(run, pathTo(run, 'say'), body, { untilAnswered: stream !== undefined, withdrawn }),
    )
    if (isRepeated) return sent
    says.set(key, sent)
    return sent.finally(() => says.delete(key))
  }

  /** Gets a new token if its token has expired, but never for another question that has the same id. */
  async #reply(run: string, { ask, value }: Extract<Command, { type: 'reply' }>): Promise<number> {
    const { tokens } = this.#openStream(run)
    const known = tokens.get(ask)
    if (!known) await this.#renewTokens(run, tokens)
    const send = (): Promise<number> => {
      const token = tokens.get(ask)?.token
      if (token === undefined) throw new AgentError('ask_unknown', `There is no open question "${ask}".`)
      return this.#post(run, pathTo(run, 'reply'), { ask, value, token })
    }
    try {
      return await send()
    } catch (error) {
      if (!known || !isAgentError(error) || error.code !== 'token_invalid') throw error
      tokens.delete(ask)
      await this.#renewTokens(run, tokens)
      const now = tokens.get(ask)
      if (now && now.at !== known.at) throw error
      return send()
    }
  }

  async #renewTokens(run: string, tokens: Stream['tokens']): Promise<void> {
    for (const { ask, ...given } of (await this.#readRun(run)).asks) tokens.set(ask.id, { ...given, ask: ask.id })
  }

  async #readRun(run: string): Promise<ReadRun> {
    return asReadRun(await this.#call(run, pathTo(run)))
  }

  async #post(
    run: string,
    path: string,
    body: object,
    { untilAnswered = false, withdrawn }: Sending = {},
  ): Promise<number> {
    // With its tools it counts as there, so only if it has a stream, or opens one next.
    const isThere = path === 'runs' || this.#openRun(run).stream
    const query = new URLSearchParams(isThere && this.#options.client).toString()
    const to = query ? `${path}?${query}` : path
    return lengthOf(await this.#call(run, to, { method: 'POST', body, untilAnswered }, withdrawn))
  }

  #call(run: string, path: string, asking: ServerRequest = {}, withdrawn?: AbortSignal): Promise<unknown> {
    const { link } = this.#openRun(run)
    const signal = this.#signalOf(run, withdrawn)
    return link.during((more) => this.#options.server.call(path, { ...asking, ...more, signal }))
  }

  #signalOf(run: string, withdrawn: AbortSignal | undefined): AbortSignal {
    const { signal } = this.#openRun(run).cancel
    return withdrawn ? AbortSignal.any([signal, withdrawn]) : signal
  }

  /** Makes a request. Afterwards it forgets a run without a stream, such as one that could not be started. */
  async #during(run: string, work: () => Promise<number>): Promise<number> {
    const open = this.#openRun(run)
    open.requests++
    try {
      return await work()
    } finally {
      open.requests--
      // It may have been closed and opened again meanwhile.
      const now = this.#runs.get(run)
      if (now?.requests === 0 && !now.stream) this.#runs.delete(run)
    }
  }

  #openRun(run: string): OpenRun {
    const known = this.#runs.get(run)
    if (known) return known
    const { host, listen } = this.#options
    const link = new RunLink(host, (now) => listen(run).onLink(now))
    const open = { cancel: new AbortController(), link, says: new Map(), requests: 0, stream: undefined }
    this.#runs.set(run, open)
    return open
  }

  #openStream(run: string): Stream {
    const open = this.#openRun(run)
    if (open.stream) return open.stream
    const { server, host, client, listen, onStream } = this.#options
    const tokens = new Map<string, Token>()
    const listener = listen(run)
    const connection = new Connection({
      runId: run,
      server,
      host,
      client,
      listener: {
        ...listener,
        onToken: (token) => tokens.set(token.ask, token),
        onLink: (link) => {
          onStream(run, link)
          open.link.stream = link
        },
        onFailure: (error) => {
          // Current requests would be retried forever, and their callers would not learn of it.
          this.cancelRequests(run, error)
          this.#forget(run)
          listener.onFailure(error)
        },
      },
    })
    open.stream = { connection, tokens }
    return open.stream
  }

  #forget(run: string): void {
    this.#runs.delete(run)
    this.#options.onStream(run, undefined)
  }
}

const pathTo = (run: string, what?: string): string =>
  `runs/${encodeURIComponent(run)}${what === undefined ? '' : `/${what}`}`
