import { pause, until } from '@interleave/connect/internal'
import { type AgentError, localHost } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import { drop, type Endpoint, isStream, messagesOf, send, statusError } from './exchange.ts'
import { acknowledged } from './listedTools.ts'
import { isFinal } from './resumed.ts'
import type { Message } from './rpc.ts'
import { StreamPosition } from './streamPosition.ts'

interface SessionStreamOptions {
  readonly to: Endpoint
  /** The headers of the session. */
  readonly headers: Readonly<Record<string, string>>
  readonly onMessage: (message: Message) => void
}

/** Milliseconds for which a request waits until the stream is open: some servers send no headers before an event. */
const openMs = 2_000

interface Listener {
  readonly onMessage: (message: Message) => void
  readonly onEnd: () => void
}

const opened: Message = { method: acknowledged }

/**
 * The stream of a session of 2025 for messages of the server that belong to no response. It is open while a client holds
 * it. A server has one per session.
 */
export class SessionStream {
  readonly #options: SessionStreamOptions
  readonly #position = new StreamPosition()
  readonly #listeners = new Set<Listener>()
  #holders = 0
  #running: AbortController | undefined
  #attempted = deferred<void>()
  #isOpen = false
  #isSlow = false
  #wasOpen = false
  /** The error of a server that has no such stream. */
  #refusal: AgentError | undefined

  constructor(options: SessionStreamOptions) {
    this.#options = options
  }

  /** True if the server had the stream, and does not know the session any more. */
  isLost = false

  /** Opens the stream, and waits until the server had time to. Returns a function that lets it go. */
  async open(signal: AbortSignal | undefined): Promise<() => void> {
    const release = this.#hold()
    if (this.#isOpen || this.#isSlow || this.#refusal) return release
    const onTimeout = (): void => {
      this.#isSlow = true
    }
    try {
      await until(this.#attempted.promise, { ms: openMs, signal, onTimeout })
      return release
    } catch (error) {
      release()
      throw error
    }
  }

  /** Receives messages, first that the stream is open. Resolves when it ends; rejects if the server has none. */
  async listen(signal: AbortSignal, onMessage: (message: Message) => void): Promise<void> {
    const release = this.#hold()
    const ended = deferred<void>()
    const listener: Listener = { onMessage, onEnd: ended.resolve }
    this.#listeners.add(listener)
    signal.addEventListener('abort', release)
    try {
      if (this.#isOpen) onMessage(opened)
      if (!this.#refusal) await until(ended.promise, { signal })
      if (this.#refusal) throw this.#refusal
    } finally {
      this.#listeners.delete(listener)
      signal.removeEventListener('abort', release)
      release()
    }
  }

  #hold(): () => void {
    this.#holders++
    if (!this.#running && !this.#refusal) {
      this.#running = new AbortController()
      this.#attempted = deferred()
      // What the server sent meanwhile was for requests that are over.
      this.#position.reset()
      void this.#run(this.#running.signal)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      if (--this.#holders > 0) return
      this.#running?.abort()
      this.#running = undefined
      this.#isOpen = false
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted && !this.#refusal && !this.isLost; failures++) {
      if (await this.#read(signal)) failures = 0
      if (signal.aborted) return
      this.#isOpen = false
      this.#attempted.resolve()
      for (const { onEnd } of [...this.#listeners]) onEnd()
      await pause(localHost, this.#position.delayMs(failures), signal)
    }
  }

  /** Reads the stream until it ends. Returns true if it was open. */
  async #read(signal: AbortSignal): Promise<boolean> {
    const { to, headers, onMessage } = this.#options
    try {
      const response = await send(to, { headers: { ...headers, ...this.#position.headers }, signal })
      if (!response.ok || !isStream(response)) {
        drop(response)
        this.#refuse(response)
        return false
      }
      this.#isOpen = true
      this.#wasOpen = true
      this.#tell(opened)
      this.#attempted.resolve()
      for await (const message of messagesOf(response, signal, this.#position)) {
        onMessage(message)
        this.#tell(message)
      }
      return true
    } catch {
      // The connection broke, or the server sent something invalid.
      return !signal.aborted && this.#isOpen
    }
  }

  #refuse({ ok, status }: Response): void {
    if (!ok && !isFinal(status)) return
    // The server may have forgotten the events.
    if (this.#position.isKnown) this.#position.reset()
    else if (this.#wasOpen) this.isLost = true
    else this.#refusal = statusError(this.#options.to.url, ok ? 405 : status)
  }

  #tell(message: Message): void {
    for (const { onMessage } of [...this.#listeners]) onMessage(message)
  }
}
