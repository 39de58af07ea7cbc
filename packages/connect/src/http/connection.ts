import type { Event, Host } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import { parseJson } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { liveEvent } from '@interleave/core/shapes'
import { retryDelay } from '../retry.ts'
import { type ClientCall, isClientCall } from '../toolCalls.ts'
import { pause } from '../wait.ts'
import { frames, type Token } from './frame.ts'
import { readServerEvents, type ServerEvent } from './readServerEvents.ts'
import { waiting } from './runLink.ts'
import { mayPass, type Server } from './server.ts'

/** The events of one run for this client, for as long as it wants them, over successive streams. */
export interface Connection {
  /** The `seq` of the next event. */
  readonly next: number
  close(): void
}

export interface ConnectionOptions {
  readonly runId: string
  readonly server: Server
  readonly host: Pick<Host, 'timer' | 'newId' | 'now'>
  /** Query parameters: the client's id, and its tools. */
  readonly client: Readonly<Record<string, string>>
  readonly hear: Listener
}

export interface Listener {
  /** Called with the next events. Each comes once, in order. */
  events(events: readonly (Event | LiveEvent)[]): void
  token(token: Token): void
  call(call: ClientCall): void
  link(link: RemoteLink): void
  /** Nothing more will come. */
  fail(error: AgentError): void
}

/** Milliseconds without a sign of life, before the server has said how often there is one. */
const firstSilenceMs = 30_000
/** Milliseconds after which a stream counts as one that worked, though nothing happened in its run. */
const longMs = 10_000

export function connect({ runId, server, host, client, hear }: ConnectionOptions): Connection {
  const closing = new AbortController()
  let next = 0
  let at: number | undefined
  /** True if something was emitted that is discarded unless it comes again. */
  let isDrafting = false
  /** True if a fault was emitted. */
  let isFaulty = false
  /** Milliseconds without a sign of life after which the stream counts as dead. */
  let silenceMs = firstSilenceMs
  let wasConnected = false
  /** The time for which the current stream has had heartbeats. */
  let livedMs = 0

  const pathOf = (): string => {
    const place = { from: String(next), ...(at !== undefined && { at: String(at) }) }
    return `runs/${encodeURIComponent(runId)}/events?${new URLSearchParams({ ...place, ...client })}`
  }
  /** Takes back an event at the next position that was never durable. */
  const takeBack = (): void => {
    if (!isFaulty) return
    isFaulty = false
    hear.events([{ type: 'rewound', to: next }])
  }
  const takeFault = (fault: Event): void => {
    takeBack()
    if (fault.seq !== next) return
    isFaulty = true
    isDrafting = false
    hear.events([fault])
  }
  const take = (event: Event): void => {
    if (event.seq < next) return
    if (event.seq > next) throw new TypeError(`The event ${next} is missing.`)
    takeBack()
    next = event.seq + 1
    at = event.at
    if (event.type === 'thought') isDrafting = false
    hear.events([event])
  }
  const rewind = (to: number): void => {
    // What comes now was never told.
    if (to > next) throw new TypeError(`The event ${next} is missing.`)
    if (to < next) at = undefined
    next = to
    isDrafting = false
  }
  const takeLive = (events: readonly LiveEvent[]): void => {
    for (const event of events) {
      // The others are looked at where they are taken. This one says where this reader is.
      if (event.type === 'rewound' && liveEvent(event) !== undefined) continue
      if (event.type !== 'rewound') isDrafting = true
      // There is nothing to take back.
      else if (event.to === next && !isDrafting && !isFaulty) continue
      else rewind(event.to)
      // Whatever it takes back, that goes with it.
      if (event.type === 'rewound') isFaulty = false
      else takeBack()
      hear.events([event])
    }
  }
  const obey = ({ name, data }: ServerEvent): void => {
    const frame: unknown = parseJson(data, { maxLength: 2 ** 26, maxDepth: 100 })
    if (!Object.hasOwn(frames, name) || frames[name]?.(frame) !== undefined) return
    if (name === 'message') take(frame as Event)
    if (name === 'fault') takeFault(frame as Event)
    if (name === 'live') takeLive(frame as LiveEvent[])
    if (name === 'token') hear.token(frame as Token)
    if (name === 'call' && isClientCall(frame)) hear.call(frame)
    if (name === 'hello') silenceMs = Math.max(100, (frame as { heartbeatMs: number }).heartbeatMs * 2.5)
    if (name === 'gone') end(new AgentError('run_unknown', `The server has no run "${runId}" any more.`))
  }
  const end = (error: AgentError): void => {
    if (closing.signal.aborted) return
    closing.abort()
    hear.fail(error)
  }
  /** Reads one stream until it ends. */
  const readOnce = async (): Promise<void> => {
    const begun = host.now()
    livedMs = 0
    const over = new AbortController()
    const signal = AbortSignal.any([closing.signal, over.signal])
    let cancel = (): void => {}
    let cancelSlow = (): void => {}
    let isAlive = false
    const awaitLife = (): void => {
      cancel()
      cancel = host.timer(silenceMs, () => over.abort(new TypeError('The server says nothing any more.')))
    }
    const onLife = (): void => {
      awaitLife()
      cancelSlow()
      if (!isAlive) hear.link({ type: 'connected' })
      isAlive = true
      wasConnected = true
      livedMs = host.now() - begun
    }
    try {
      hear.link({ type: 'connecting' })
      awaitLife()
      cancelSlow = server.onSlow((error) => hear.link(waiting(begun + silenceMs, error)))
      const { body } = await server.open(pathOf(), { accept: 'text/event-stream', signal })
      if (!body) return
      for await (const event of readServerEvents(untilAborted(body, signal), onLife)) {
        if (signal.aborted) return
        obey(event)
      }
    } finally {
      cancel()
      cancelSlow()
      over.abort()
    }
  }
  const keepOpen = async (): Promise<void> => {
    for (let attempt = 0; !closing.signal.aborted; ) {
      const before = next
      let why: unknown
      try {
        await readOnce()
      } catch (error) {
        if (closing.signal.aborted) return
        // Where there was the server before, something is in its way: a hotel that wants one to sign in, a server that is replaced.
        if (isFinal(error) && !(wasConnected && error.code === 'remote_failed')) return end(error)
        why = error
      }
      if (closing.signal.aborted) return
      // However it ended, there is nothing in the way of one that brought something.
      attempt = next > before || livedMs >= longMs ? 0 : attempt + 1
      const ms = retryDelay(attempt, host)
      hear.link(waiting(host.now() + ms, why))
      await pause(host, ms, closing.signal)
    }
  }
  void keepOpen()
  return {
    get next() {
      return next
    },
    close: () => closing.abort(),
  }
}

/** An answer that stays the same. What went wrong on the way, or in what came, may go better the next time. */
const isFinal = (error: unknown): error is AgentError =>
  isAgentError(error) && error.code !== 'json_invalid' && !mayPass(error)

/** A body whose reading ends with the signal, also where `fetch` is not the platform's own. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
}
