import type { Host } from '@interleave/core'
import type { ConnectionState } from '@interleave/core/internal'
import { toFailure } from '@interleave/core/internal'
import type { ServerRequest } from './server.ts'

/** The connection of a page to the server for one run: its stream, and its pending requests. */
export class RunConnection {
  readonly #host: Pick<Host, 'now'>
  readonly #onChange: (connection: ConnectionState) => void
  readonly #unanswered = new Map<symbol, ConnectionState>()
  #stream: ConnectionState = { type: 'connecting' }
  #shown: ConnectionState | undefined
  #back = new AbortController()

  constructor(host: Pick<Host, 'now'>, onChange: (connection: ConnectionState) => void) {
    this.#host = host
    this.#onChange = onChange
  }

  /**
   * Sets the state of the stream. Once it is connected, requests that wait for the server are retried at once. An
   * attempt shows nothing before it succeeds or fails, so that what a page shows does not flicker.
   */
  set stream(connection: ConnectionState) {
    const isAttempt = connection.type === 'connecting' || (connection.type === 'waiting' && !connection.error)
    if (!isAttempt || this.#stream.type === 'connecting') this.#stream = connection
    this.#show()
    if (connection.type !== 'connected') return
    this.#back.abort()
    this.#back = new AbortController()
  }

  /** Makes one request. While it has no response, the connection says so. */
  async during<T>(send: (options: Pick<ServerRequest, 'onPause' | 'back'>) => Promise<T>): Promise<T> {
    const request = Symbol()
    try {
      return await send({
        back: () => this.#back.signal,
        onPause: (ms, error) => {
          this.#unanswered.set(request, waiting(this.#host.now() + ms, error))
          this.#show()
        },
      })
    } finally {
      this.#unanswered.delete(request)
      this.#show()
    }
  }

  #show(): void {
    const [unanswered] = this.#unanswered.values()
    const isDown = this.#stream.type === 'waiting' || this.#stream.type === 'refused'
    const connection = isDown ? this.#stream : (unanswered ?? this.#stream)
    if (connection === this.#shown) return
    this.#shown = connection
    this.#onChange(connection)
  }
}

/** The state of a connection that is tried again at a time. */
export const waiting = (until: number, why: unknown): ConnectionState => ({
  type: 'waiting',
  until,
  ...(why !== undefined && { error: toFailure(why, 'remote_failed') }),
})
