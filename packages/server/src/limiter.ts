import { elapsedMs } from '@interleave/connect/internal'
import type { Host } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { HandlerLimits } from './handlerOptions.ts'

/** The number of requests that a user may still make, at a time. */
export interface RequestRoom {
  readonly room: number
  readonly at: number
}

/** Returns the room at a later time: it grows by `requests` a minute. Without a limit, `requests` is Infinity. */
const refill = ({ room, at }: RequestRoom, requests: number, now: number): RequestRoom => ({
  room: Math.min(requests, room + (elapsedMs(at, now) / minute) * Math.min(requests, Number.MAX_SAFE_INTEGER)),
  at: now,
})

/** Takes one request. Returns the room that is left, or throws `too_many`. */
export function takeRequest(before: RequestRoom, requests: number, now: number): RequestRoom {
  const { room } = refill(before, requests, now)
  if (room < 1) throw tooMany(`${requests} requests in a minute are allowed. Wait a moment.`)
  return { room: room - 1, at: now }
}

interface Account {
  requests: RequestRoom
  streams: number
}

/** The usage of each principal. Idle principals are forgotten. */
export class Limiter {
  readonly #limits: Pick<HandlerLimits, 'requests' | 'streams'>
  readonly #host: Pick<Host, 'now'>
  readonly #accounts = new Map<string, Account>()
  #sweptAt: number

  constructor(limits: Pick<HandlerLimits, 'requests' | 'streams'>, host: Pick<Host, 'now'>) {
    this.#limits = limits
    this.#host = host
    this.#sweptAt = host.now()
  }

  /** Counts one more request. Throws `too_many`. */
  count(principal: string): void {
    const account = this.#accountOf(principal)
    account.requests = takeRequest(account.requests, this.#limits.requests, this.#host.now())
  }

  /** Counts one more open stream. Returns a function that ends it. Throws `too_many`. */
  open(principal: string): () => void {
    const account = this.#accountOf(principal)
    const { streams } = this.#limits
    if (account.streams >= streams) throw tooManyStreams(streams)
    account.streams++
    let isOpen = true
    return () => {
      if (isOpen) account.streams--
      isOpen = false
    }
  }

  #accountOf(principal: string): Account {
    const now = this.#host.now()
    this.#sweep(now)
    const account = this.#accounts.get(principal) ?? { requests: { room: this.#limits.requests, at: now }, streams: 0 }
    this.#accounts.set(principal, account)
    return account
  }

  #sweep(now: number): void {
    const most = this.#limits.requests
    if (elapsedMs(this.#sweptAt, now) < minute) return
    this.#sweptAt = now
    for (const [principal, { requests, streams }] of this.#accounts)
      if (streams === 0 && refill(requests, most, now).room >= most) this.#accounts.delete(principal)
  }
}

const minute = 60_000

export const tooManyRuns = (most: number): AgentError =>
  tooMany(`${most} runs may work at once. Wait for one of them, or stop it.`)
export const tooManyStreams = (most: number): AgentError => tooMany(`${most} streams may be open at once. Close one.`)

const tooMany = (message: string): AgentError => new AgentError('too_many', message, { retryable: true })
