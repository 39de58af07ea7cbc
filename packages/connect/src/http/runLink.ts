import type { Host } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import { toFailure } from '@interleave/core/internal'
import type { ServerRequest } from './server.ts'

/** The connection of a page to the server for one run: its stream, and its pending requests. */
export class RunLink {
  readonly #host: Pick<Host, 'now'>
  readonly #onChange: (link: RemoteLink) => void
  readonly #unanswered = new Map<symbol, RemoteLink>()
  #stream: RemoteLink = { type: 'connecting' }
  #shown: RemoteLink | undefined
  #back = new AbortController()

  constructor(host: Pick<Host, 'now'>, onChange: (link: RemoteLink) => void) {
    this.#host = host
    this.#onChange = onChange
  }

  /**
   * Sets the stream's own link. Once it is connected, requests that wait for the server are retried at once. An attempt
   * shows nothing before it succeeds or fails, so that the link does not flicker.
   */
  set stream(link: RemoteLink) {
    const isAttempt = link.type === 'connecting' || (link.type === 'waiting' && !link.error)
    if (!isAttempt || this.#stream.type === 'connecting') this.#stream = link
    this.#show()
    if (link.type !== 'connected') return
    this.#back.abort()
    this.#back = new AbortController()
  }

  /** Makes one request. While it has no response, the link shows that. */
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
    const link = isDown ? this.#stream : (unanswered ?? this.#stream)
    if (link === this.#shown) return
    this.#shown = link
    this.#onChange(link)
  }
}

/** Creates a link that is retried at a time. */
export const waiting = (until: number, why: unknown): RemoteLink => ({
  type: 'waiting',
  until,
  ...(why !== undefined && { error: toFailure(why, 'remote_failed') }),
})
