import type { Host } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { HandlerLimits } from './handlerOptions.ts'

interface Account {
  /** Requests that may be made now. */
  room: number
  at: number
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
    const { requests } = this.#limits
    if (account.room < 1) throw tooMany(`${requests} requests in a minute are allowed. Wait a moment.`)
    account.room--
  }

  /** Counts one more open stream. Returns what ends it, or throws `too_many`. */
  open(principal: string): () => void {
    const account = this.#accountOf(principal)
    const { streams } = this.#limits
    if (account.streams >= streams) throw tooMany(`${streams} streams may be open at once. Close one.`)
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
    const account = this.#accounts.get(principal) ?? { room: this.#limits.requests, at: now, streams: 0 }
    this.#accounts.set(principal, Object.assign(account, { room: this.#roomOf(account, now), at: now }))
    return account
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < minute) return
    this.#sweptAt = now
    for (const [principal, account] of this.#accounts)
      if (account.streams === 0 && this.#roomOf(account, now) >= this.#limits.requests) this.#accounts.delete(principal)
  }

  #roomOf({ room, at }: Account, now: number): number {
    const { requests } = this.#limits
    return Math.min(requests, room + ((now - at) * requests) / minute)
  }
}

const minute = 60_000

export const tooMany = (message: string): AgentError => new AgentError('too_many', message, { retryable: true })
