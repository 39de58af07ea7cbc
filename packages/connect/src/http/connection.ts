import type { Event, Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import { type ErrorCode, parseJson, type RemoteLink, toFailure } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { type ClientCall, isClientCall } from '../toolCalls.ts'
import { pause, retryDelay } from '../wait.ts'
import { EventReceiver } from './eventReceiver.ts'
import { frames, type Token } from './frame.ts'
import { readServerEvents, type ServerEvent } from './readServerEvents.ts'
import { waiting } from './runLink.ts'
import type { Server } from './server.ts'
import { mayPass } from './serverErrors.ts'

export interface ConnectionOptions {
  readonly runId: string
  readonly server: Pick<Server, 'open' | 'reportSlow'>
  readonly host: Pick<Host, 'timer' | 'newId' | 'now'>
  /** Query parameters: the client's id, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly listener: ConnectionListener
}

export interface ConnectionListener {
  /** Called with the next events. Each occurs once, in order. */
  onEvents(events: readonly (Event | LiveEvent)[]): void
  onToken(token: Token): void
  onCall(call: ClientCall): void
  onLink(link: RemoteLink): void
  /** Called when no more events follow: the run cannot be followed by anybody. */
  onFailure(error: AgentError): void
}

/** Milliseconds without a heartbeat that count as a dead stream, until the server names its own interval. */
const firstSilenceMs = 30_000
/** Milliseconds after which a stream counts as working, even without an event. */
const longMs = 10_000
/** Milliseconds until a server that refuses the page is asked again, unless a command does so before. */
const refusedMs = 15_000
/** Errors of the run itself, whoever asks for it. */
const ofRun: readonly ErrorCode[] = ['run_unknown', 'agent_mismatch', 'log_invalid']

/** Receives the events of one run over successive streams, until it is closed. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #receiver: EventReceiver
  readonly #closing = new AbortController()
  /** Aborts a wait for the next attempt. */
  #wake = new AbortController()
  /** Milliseconds without a heartbeat after which the stream counts as dead. */
  #silenceMs = firstSilenceMs
  /** The time for which the current stream has had heartbeats. */
  #livedMs = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#receiver = new EventReceiver((events) => options.listener.onEvents(events))
    void this.#keepOpen()
  }

  /** The `seq` of the next event. */
  get next(): number {
    return this.#receiver.next
  }

  close(): void {
    this.#closing.abort()
  }

  /** Ends a wait for the next attempt: there is reason to think that it succeeds now. */
  reopen(): void {
    this.#wake.abort()
  }

  async #keepOpen(): Promise<void> {
    const { signal } = this.#closing
    for (let attempt = 0; !signal.aborted; ) {
      const before = this.next
      const error = await this.#readStream().then(() => undefined, asReason)
      if (signal.aborted) return
      if (error && this.#isFinal(error.reason)) return this.#fail(error.reason)
      // However it ended, a stream that delivered an event shows that the next one may work.
      attempt = this.next > before || this.#livedMs >= longMs ? 0 : attempt + 1
      await this.#waitToRetry(attempt, error?.reason)
    }
  }

  async #waitToRetry(attempt: number, error: unknown): Promise<void> {
    const { host, listener } = this.#options
    const isRefused = isAgentError(error) && !isPassing(error)
    const ms = isRefused ? refusedMs : retryDelay(attempt, host)
    this.#wake = new AbortController()
    listener.onLink(
      isRefused ? { type: 'refused', error: toFailure(error, 'not_allowed') } : waiting(host.now() + ms, error),
    )
    await pause(host, ms, AbortSignal.any([this.#closing.signal, this.#wake.signal]))
  }

  async #readStream(): Promise<void> {
    const { server, host, listener } = this.#options
    const begun = host.now()
    this.#livedMs = 0
    const over = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, over.signal])
    const silence = new Alarm(host, () => over.abort(new TypeError('The stream is silent')))
    let isAlive = false
    const onLife = (): void => {
      silence.set(this.#silenceMs)
      cancelSlow()
      if (!isAlive) listener.onLink({ type: 'connected' })
      isAlive = true
      this.#livedMs = host.now() - begun
    }
    listener.onLink({ type: 'connecting' })
    silence.set(this.#silenceMs)
    const cancelSlow = server.reportSlow((error) => listener.onLink(waiting(begun + this.#silenceMs, error)))
    try {
      const { body } = await server.open(this.#path(), { accept: 'text/event-stream', signal })
      if (!body) return
      for await (const event of readServerEvents(untilAborted(body, signal), onLife)) {
        if (signal.aborted) return
        this.#receiveFrame(event)
      }
    } finally {
      silence.cancel()
      cancelSlow()
      over.abort()
    }
  }

  #path(): string {
    const { runId, client } = this.#options
    return `runs/${encodeURIComponent(runId)}/events?${new URLSearchParams({ ...this.#receiver.position, ...client })}`
  }

  #receiveFrame({ name, data }: ServerEvent): void {
    const frame: unknown = parseJson(data, { maxLength: 2 ** 26, maxDepth: 100 })
    if (!Object.hasOwn(frames, name) || frames[name]?.(frame) !== undefined) return
    const { runId, listener } = this.#options
    if (name === 'message') this.#receiver.receiveEvent(frame as Event)
    if (name === 'fault') this.#receiver.receiveFault(frame as Event)
    if (name === 'live') for (const event of frame as LiveEvent[]) this.#receiver.receiveLive(event)
    if (name === 'token') listener.onToken(frame as Token)
    if (name === 'call' && isClientCall(frame)) listener.onCall(frame)
    if (name === 'hello') this.#silenceMs = Math.max(100, (frame as { heartbeatMs: number }).heartbeatMs * 2.5)
    if (name === 'gone') this.#fail(new AgentError('run_unknown', `The server has no run "${runId}" any more.`))
  }

  /** Returns true if nobody can follow the run, or no server is there. Who is refused may be let in later. */
  #isFinal(error: unknown): error is AgentError {
    return isAgentError(error) && !isPassing(error) && (ofRun.includes(error.code) || error.code === 'remote_failed')
  }

  #fail(error: AgentError): void {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    this.#options.listener.onFailure(error)
  }
}

/** A timer that is set again and again. */
class Alarm {
  readonly #host: Pick<Host, 'timer'>
  readonly #onTime: () => void
  cancel: () => void = () => {}

  constructor(host: Pick<Host, 'timer'>, onTime: () => void) {
    this.#host = host
    this.#onTime = onTime
  }

  set(ms: number): void {
    this.cancel()
    this.cancel = this.#host.timer(ms, this.#onTime)
  }
}

/** Returns true if the same request may succeed soon. */
const isPassing = (error: AgentError): boolean => error.code === 'json_invalid' || mayPass(error)

const asReason = (reason: unknown): { readonly reason: unknown } => ({ reason })

/** Returns a body whose reading ends with the signal, even if `fetch` is not the platform's own. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
}
