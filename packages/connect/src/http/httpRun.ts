import type { Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import type { Command, ConnectionState } from '@interleave/core/internal'
import { assertOption, DEV } from '@interleave/core/internal'
import { ofOtherAgent } from '../registry.ts'
import type { Request } from '../remoteRuns.ts'
import { until } from '../wait.ts'
import { asReadRun, doneShape, lengthOf, type ReadRun, readRunShape } from './answers.ts'
import { Connection, type ConnectionListener } from './connection.ts'
import type { Token } from './frame.ts'
import type { Places } from './pagePlaces.ts'
import { RunConnection } from './runConnection.ts'
import type { Server, ServerRequest } from './server.ts'

export interface HttpRunOptions {
  /** The agent's name. */
  readonly agent: string
  readonly server: Pick<Server, 'call' | 'open' | 'reportSlow'>
  readonly host: Pick<Host, 'timer' | 'newId' | 'now' | 'onUnload'>
  /** Query parameters: the client, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly places?: Places
}

export interface HttpRunListener extends Omit<ConnectionListener, 'onToken'> {
  /** Called when the connection of the stream changes; undefined if there is no stream any more. */
  onStream(connection: ConnectionState | undefined): void
}

interface Sending {
  readonly untilAnswered?: boolean
  readonly withdrawn?: AbortSignal | undefined
  /** True if the page opens a stream next. */
  readonly connects?: boolean
}

/** A run of a server in this page: its requests, its messages that are being sent, and its stream. */
export class HttpRun {
  /** The number of current requests. */
  requests = 0
  /** Resolves when the server has answered the request that starts it; undefined if it has. */
  starting: Promise<unknown> | undefined
  readonly #id: string
  readonly #options: HttpRunOptions
  readonly #listener: HttpRunListener
  readonly #cancel = new AbortController()
  readonly #shown: RunConnection
  /** The messages that are being sent, by key, in the order in which they were said. */
  readonly #says = new Map<string, Promise<number>>()
  /** The tokens for its open questions. */
  readonly #tokens = new Map<string, Token>()
  #connection: Connection | undefined

  constructor(id: string, options: HttpRunOptions, listener: HttpRunListener) {
    this.#id = id
    this.#options = options
    this.#listener = listener
    this.#shown = new RunConnection(options.host, (now) => listener.onConnection(now))
  }

  get isInUse(): boolean {
    return this.requests > 0 || this.#connection !== undefined
  }

  /** Sends a request. Resolves with the length of the log when it is done. */
  async sendRequest(
    request: Extract<Request, { type: 'start' | 'attach' | 'command' }>,
    withdrawn?: AbortSignal,
  ): Promise<number> {
    if (request.type === 'start') return this.#start(request, withdrawn)
    if (request.type === 'attach') return this.#attach()
    // Until the server has started the run, another of its processes may get the request and reject it.
    if (this.starting) await until(this.starting, { signal: this.#signal(withdrawn) })
    return this.#sendCommand(request.command, withdrawn)
  }

  cancelRequests(error: Error): void {
    this.#cancel.abort(error)
  }

  /** Opens the stream at once, if it waits for its next attempt: the server has answered. */
  reopenStream(): void {
    this.#connection?.reopen()
  }

  close(): void {
    this.#connection?.close()
    this.#listener.onStream(undefined)
  }

  async #start({ input, key, history }: Extract<Request, { type: 'start' }>, withdrawn?: AbortSignal): Promise<number> {
    assertOption(
      !history,
      DEV && 'A server accepts no `history`. Resume the run, or put what matters into the message.',
    )
    this.#shown.stream = { type: 'connecting' }
    const body = { agent: this.#options.agent, input, ...(key !== undefined && { key }) }
    const started = this.#post(this.#path(), body, { untilAnswered: true, connects: true, withdrawn })
    const end = (): void => {
      this.starting = undefined
    }
    this.starting = started.then(end, end)
    return this.#openedAt(await started)
  }

  async #attach(): Promise<number> {
    const { agent, length } = await this.#readRun()
    if (agent !== this.#options.agent) throw ofOtherAgent(this.#id, agent)
    return this.#openedAt(length)
  }

  /** Opens the stream, unless the run was closed meanwhile. */
  #openedAt(length: number): number {
    if (!this.#cancel.signal.aborted) this.#openStream()
    return length
  }

  async #sendCommand(command: Command, withdrawn?: AbortSignal): Promise<number> {
    switch (command.type) {
      case 'say':
        return this.#say(command, withdrawn)
      case 'reply':
        return this.#reply(command)
      case 'stop':
        return this.#post(this.#path('/stop'), { reason: command.reason, after: this.#connection?.next })
      case 'revoke':
        return this.#post(this.#path('/revoke'), { id: command.id })
      case 'resume':
        return this.#post(this.#path('/resume'), { after: this.#openStream().next })
    }
  }

  /**
   * Sends a message after the earlier ones, since requests that are retried overtake each other. One that interrupts the
   * turn, or is sent again, waits for none.
   */
  async #say({ type: _, ...body }: Extract<Command, { type: 'say' }>, withdrawn?: AbortSignal): Promise<number> {
    const { key, now } = body
    const says = this.#says
    const isRepeated = says.has(key)
    const earlier = now || isRepeated ? [] : [...says.values()]
    // Without a stream, nothing shows a message that is being sent, so `say` rejects after a minute.
    const sending = { untilAnswered: this.#connection !== undefined, withdrawn }
    const sent = until(Promise.allSettled(earlier), { signal: this.#signal(withdrawn) }).then(() =>
      this.#post(this.#path('/say'), body, sending),
    )
    if (isRepeated) return sent
    says.set(key, sent)
    return sent.finally(() => says.delete(key))
  }

  /** Gets a new token if its token has expired, but never for another question that has the same id. */
  async #reply({ ask, value }: Extract<Command, { type: 'reply' }>): Promise<number> {
    this.#openStream()
    const tokens = this.#tokens
    const known = tokens.get(ask)
    if (!known) await this.#renewTokens()
    const send = (): Promise<number> => {
      const token = tokens.get(ask)?.token
      if (token === undefined) throw new AgentError('ask_unknown', `There is no open question "${ask}".`)
      return this.#post(this.#path('/reply'), { ask, value, token })
    }
    try {
      return await send()
    } catch (error) {
      if (!known || !isAgentError(error) || error.code !== 'token_invalid') throw error
      tokens.delete(ask)
      await this.#renewTokens()
      const now = tokens.get(ask)
      if (now && now.at !== known.at) throw error
      return send()
    }
  }

  async #renewTokens(): Promise<void> {
    for (const { ask, ...token } of (await this.#readRun()).asks) this.#tokens.set(ask.id, { ...token, ask: ask.id })
  }

  async #readRun(): Promise<ReadRun> {
    return asReadRun(await this.#call(this.#path(), { shape: readRunShape, signal: this.#signal() }))
  }

  async #post(path: string, body: object, sending: Sending = {}): Promise<number> {
    const { untilAnswered = false, withdrawn, connects } = sending
    // With its tools, the client counts as connected: only if it has a stream, or opens one next.
    const isConnected = connects || this.#connection
    const query = new URLSearchParams(isConnected && this.#options.client).toString()
    const sent = { method: 'POST', shape: doneShape, untilAnswered, signal: this.#signal(withdrawn) } as const
    return lengthOf(await this.#call(query ? `${path}?${query}` : path, { ...sent, body }))
  }

  #call(path: string, request: ServerRequest): Promise<unknown> {
    return this.#shown.during((more) => this.#options.server.call(path, { ...request, ...more }))
  }

  #signal(withdrawn?: AbortSignal): AbortSignal {
    const { signal } = this.#cancel
    return withdrawn ? AbortSignal.any([signal, withdrawn]) : signal
  }

  #path(what = ''): string {
    return `runs/${encodeURIComponent(this.#id)}${what}`
  }

  #openStream(): Connection {
    const listener = this.#listener
    this.#connection ??= new Connection({
      ...this.#options,
      runId: this.#id,
      listener: {
        ...listener,
        onToken: (token) => this.#tokens.set(token.ask, token),
        onConnection: (connection) => {
          listener.onStream(connection)
          this.#shown.stream = connection
        },
        onFailure: (error) => {
          // Current requests would be retried forever, and their callers would not learn of it.
          this.cancelRequests(error)
          listener.onStream(undefined)
          listener.onFailure(error)
        },
      },
    })
    return this.#connection
  }
}
