import type { Event, Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import { type ConnectionState, type ErrorCode, parseJson, toFailure } from '@interleave/core/internal'
import { isKept, type LiveEvent } from '@interleave/core/observe'
import { followPresence } from '../presence.ts'
import { type ClientCall, isClientCall } from '../toolCalls.ts'
import { pause, retryDelay } from '../wait.ts'
import { EventReceiver } from './eventReceiver.ts'
import { FollowWay } from './followWay.ts'
import { frames, type Token } from './frame.ts'
import { manyPlaces, type Places } from './pagePlaces.ts'
import { readServerEvents, type ServerEvent } from './readServerEvents.ts'
import { waiting } from './runConnection.ts'
import type { Server } from './server.ts'
import { mayPass } from './serverErrors.ts'

export interface ConnectionOptions {
  readonly runId: string
  readonly server: Pick<Server, 'open' | 'reportSlow'>
  readonly host: Pick<Host, 'timer' | 'newId' | 'now' | 'onUnload'>
  /** Query parameters: the client's id, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly listener: ConnectionListener
  /** The places of streams; as many as there are runs by default. */
  readonly places?: Places
}

export interface ConnectionListener {
  /** Called with the next events. Each occurs once, in order. */
  onEvents(events: readonly (Event | LiveEvent)[]): void
  onToken(token: Token): void
  onCall(call: ClientCall): void
  onConnection(connection: ConnectionState): void
  /** Called each time that the server shows that it is there. */
  onLife(): void
  /** Called when no more events follow: no client can follow the run. */
  onFailure(error: AgentError): void
}

/** Milliseconds without a heartbeat that count as a dead stream, until the server names its own interval. */
const firstSilenceMs = 30_000
/** Milliseconds without a first byte after which a stream is compared with a plain request: a proxy may hold it back. */
const firstByteMs = 6_000
/** Milliseconds without streams after a proxy has held one back. */
const heldMs = 600_000
/** Milliseconds after which a run counts as settled: a log of the past contains many pauses. */
const settledMs = 300
/** Milliseconds after which a stream counts as working, even without an event. */
const longMs = 10_000
/**
 * Milliseconds without a stream for a page that is about to be left. Browsers break its streams, and it continues until the
 * next page is there: WebKit never closes what it opens right before. The server would count it as present.
 */
const leavingMs = 2_000
/** Milliseconds until a server that refuses the page is asked again, unless a command does so before. */
const refusedMs = 15_000
/** Errors of the run itself, the same for each client. */
const ofRun: readonly ErrorCode[] = ['run_unknown', 'agent_mismatch', 'log_invalid']

/** Receives the events of one run over successive streams, or requests, until it is closed. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #receiver: EventReceiver
  readonly #places: Places
  readonly #way: FollowWay
  readonly #closing = new AbortController()
  /** Aborts a wait for the next attempt. */
  #wake = new AbortController()
  #isWoken = false
  /** Ends the current stream, which is not needed any more. */
  #release = new AbortController()
  /** Resolves when the page stays, though it was about to be left, or is shown again, after it was left. */
  #here: Promise<void> | undefined
  /** Milliseconds without a heartbeat after which the stream counts as dead. */
  #silenceMs = firstSilenceMs
  /** The time for which the current stream has had heartbeats. */
  #livedMs = 0
  /** The number of streams, one after the other, that fell silent soon. */
  #silent = 0

  constructor(options: ConnectionOptions) {
    const { listener, places = manyPlaces(), client, runId } = options
    this.#options = options
    this.#places = places
    this.#way = new FollowWay(places, Object.keys(client).length > 0)
    this.#receiver = new EventReceiver((events) => {
      for (const event of events) this.#way.receiveEvent(event)
      listener.onEvents(events)
      if (events.some(isKept)) places.tellLength(runId, this.next)
    })
    let comeBack = (): void => {}
    const onLeave = (): void => {
      this.#here = new Promise((resolve) => {
        comeBack = resolve
      })
      // A page that is frozen would seem to read it.
      this.#release.abort()
    }
    followPresence({ onLeave, onReturn: () => comeBack() }, this.#closing.signal)
    void this.#keepOpen()
  }

  /** The `seq` of the next event. */
  get next(): number {
    return this.#receiver.next
  }

  close(): void {
    this.#closing.abort()
  }

  /** Ends a wait for the next attempt: there is reason to think that it succeeds now, or brings something. */
  reopen(): void {
    this.#way.hurry()
    this.#isWoken = true
    this.#wake.abort()
  }

  async #keepOpen(): Promise<void> {
    const { signal } = this.#closing
    const leave = this.#places.watch(this.#options.runId, {
      onShown: () => this.reopen(),
      onHidden: () => this.#way.isOver && this.#release.abort(),
      onCrowded: () => this.#release.abort(),
      onLength: (length) => length > this.next && !this.#places.isHidden && this.reopen(),
    })
    for (let attempt = 0; !signal.aborted; ) {
      const before = this.next
      this.#isWoken = false
      const { isEnough, error } = await this.#follow().catch(asError)
      if (signal.aborted) break
      if (this.#isFinal(error)) this.#fail(error)
      else if (isEnough || this.#isSlowedDown(error)) {
        attempt = 0
        await this.#pause(this.#way.nextMs(this.#options.host.now()))
      } else {
        // However it ended, a stream that delivered an event shows that the next one may work.
        attempt = this.next > before || this.#livedMs >= longMs ? 0 : attempt + 1
        await this.#waitToRetry(attempt, error)
      }
    }
    leave()
  }

  /** Follows the run by a stream, or by one request. */
  async #follow(): Promise<Followed> {
    await this.#untilHere()
    this.#release = new AbortController()
    const { signal } = this.#release
    const giveBack = await this.#way.takePlace(this.#options.host.now())
    if (!giveBack || this.#silent > 1) {
      giveBack?.()
      await this.#poll(this.#closing.signal)
      // Streams end after their first bytes, and requests do not: a proxy passes on only full buffers.
      if (this.#silent > 1) this.#avoidStreams()
      return { isEnough: true }
    }
    try {
      await this.#stream(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      giveBack()
    }
    return { isEnough: signal.aborted }
  }

  async #untilHere(): Promise<void> {
    for (let here = this.#here; here; here = this.#here) {
      await here
      if (here === this.#here) this.#here = undefined
    }
  }

  async #waitToRetry(attempt: number, error: unknown): Promise<void> {
    const { host, listener } = this.#options
    const isRefused = isAgentError(error) && !isPassing(error)
    const ms = isRefused ? refusedMs : retryDelay(attempt, host)
    listener.onConnection(
      isRefused ? { type: 'refused', error: toFailure(error, 'not_allowed') } : waiting(host.now() + ms, error),
    )
    await this.#pause(ms)
  }

  async #pause(ms: number): Promise<void> {
    if (ms === 0 || this.#isWoken) return
    this.#wake = new AbortController()
    await pause(this.#options.host, ms, AbortSignal.any([this.#closing.signal, this.#wake.signal]))
  }

  async #stream(release: AbortSignal): Promise<void> {
    const { server, host, listener } = this.#options
    const begun = host.now()
    // Only while there is a stream: with such a listener, Firefox keeps no page to return to.
    const stay = host.onUnload?.(() => {
      this.#here ??= pause(host, leavingMs, this.#closing.signal)
    })
    this.#livedMs = 0
    const over = new AbortController()
    const signal = AbortSignal.any([this.#closing.signal, release, over.signal])
    const silence = new Alarm(host, () => {
      this.#silent++
      over.abort(new TypeError('The stream is silent'))
    })
    const silent = new AbortController()
    const held = new Alarm(host, () => this.#compare(AbortSignal.any([signal, silent.signal])))
    const rest = new Alarm(host, () => this.#way.isOver && this.#release.abort())
    let isAlive = false
    const onLife = (): void => {
      silence.set(this.#silenceMs)
      held.cancel()
      // A server that is slow sends its first byte while the stream is compared with a request.
      silent.abort()
      cancelSlow()
      if (!isAlive) listener.onConnection({ type: 'connected' })
      isAlive = true
      this.#livedMs = host.now() - begun
      if (this.#livedMs >= longMs) this.#silent = 0
      listener.onLife()
    }
    listener.onConnection({ type: 'connecting' })
    silence.set(this.#silenceMs)
    held.set(firstByteMs)
    const cancelSlow = server.reportSlow((error) => listener.onConnection(waiting(begun + this.#silenceMs, error)))
    try {
      const { body } = await server.open(this.#path(), { accept: 'text/event-stream', signal })
      if (!body) return
      for await (const event of readServerEvents(untilAborted(body, signal), onLife)) {
        if (signal.aborted) return
        this.#receiveFrame(event)
        if (event.name === 'hello') silence.set(this.#silenceMs)
        if (this.#way.isOver) rest.set(settledMs)
        else rest.cancel()
      }
    } finally {
      silence.cancel()
      held.cancel()
      rest.cancel()
      cancelSlow()
      over.abort()
      stay?.()
    }
  }

  /**
   * Makes a request while a stream is open that has brought nothing. If that is answered and the stream still is not, a
   * proxy holds it back.
   */
  async #compare(silent: AbortSignal): Promise<void> {
    try {
      await this.#poll(silent)
      // A busy server may answer both at once, in any order.
      await pause(this.#options.host, firstByteMs / 3, silent)
    } catch {
      // The connection is bad, not the stream.
      return
    }
    if (silent.aborted) return
    this.#avoidStreams()
    this.#release.abort()
  }

  #avoidStreams(): void {
    const now = this.#options.host.now()
    if (now >= this.#places.heldUntil) console.warn(heldBack)
    this.#places.heldUntil = now + heldMs
    this.#silent = 0
  }

  /** Asks for what there is, without waiting for more. */
  async #poll(ended: AbortSignal): Promise<void> {
    const { server, host, listener } = this.#options
    const late = new AbortController()
    const silence = new Alarm(host, () => late.abort(new TypeError('No answer in time')))
    const signal = AbortSignal.any([ended, late.signal])
    listener.onConnection({ type: 'connecting' })
    silence.set(firstSilenceMs)
    const cancelSlow = server.reportSlow((error) => listener.onConnection(waiting(host.now() + firstSilenceMs, error)))
    try {
      const { body } = await server.open(`${this.#path()}&wait=false`, { accept: 'text/event-stream', signal })
      if (body) {
        for await (const event of readServerEvents(untilAborted(body, signal), () => silence.set(firstSilenceMs))) {
          this.#receiveFrame(event)
        }
      }
      const isHeld = host.now() < this.#places.heldUntil
      listener.onConnection({ type: 'connected', ...(isHeld && { isPolling: true as const }) })
      listener.onLife()
    } finally {
      silence.cancel()
      cancelSlow()
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

  /** Returns true if the server has had too many requests, and makes fewer. */
  #isSlowedDown(error: unknown): boolean {
    const isBusy = this.#places.areFew && isAgentError(error) && error.code === 'too_many'
    if (isBusy) this.#way.slowDown()
    return isBusy
  }

  /** Returns true if no client can follow the run, or no server is there. A client that is refused may be let in later. */
  #isFinal(error: unknown): error is AgentError {
    return isAgentError(error) && !isPassing(error) && (ofRun.includes(error.code) || error.code === 'remote_failed')
  }

  #fail(error: AgentError): void {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    this.#options.listener.onFailure(error)
  }
}

interface Followed {
  /** True if no more was wanted. Otherwise the server, or an error, has ended it. */
  readonly isEnough: boolean
  readonly error?: unknown
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

const heldBack =
  'A proxy holds back the event stream of an Interleave server, so the page asks for new events each second. Let the proxy pass on responses of the type text/event-stream as they arrive.'

const asError = (error: unknown): Followed => ({ isEnough: false, error })

/** Returns a body whose reading ends with the signal, even if `fetch` is not the platform's own. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
}
