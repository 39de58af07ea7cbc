import type { Host } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { HandlerLimits } from './handlerOptions.ts'

/** The usage of each principal. Idle principals are forgotten. */
export interface Limiter {
  /** One request more. Throws `too_many`. */
  count(principal: string): void
  /** One open stream more. Returns what ends it, or throws `too_many`. */
  open(principal: string): () => void
}

interface Account {
  /** Requests that may be made now. */
  room: number
  at: number
  streams: number
}

export function createLimiter({ requests, streams }: HandlerLimits, host: Pick<Host, 'now'>): Limiter {
  const accounts = new Map<string, Account>()
  let sweptAt = host.now()

  const roomOf = ({ room, at }: Account, now: number): number =>
    Math.min(requests, room + ((now - at) * requests) / minute)
  const sweep = (now: number): void => {
    if (now - sweptAt < minute) return
    sweptAt = now
    for (const [principal, account] of accounts) {
      if (account.streams === 0 && roomOf(account, now) >= requests) accounts.delete(principal)
    }
  }
  const accountOf = (principal: string): Account => {
    const now = host.now()
    sweep(now)
    const account = accounts.get(principal) ?? { room: requests, at: now, streams: 0 }
    accounts.set(principal, Object.assign(account, { room: roomOf(account, now), at: now }))
    return account
  }

  return {
    count(principal) {
      const account = accountOf(principal)
      if (account.room < 1) throw tooMany(`${requests} requests in a minute are allowed. Wait a moment.`)
      account.room--
    },
    open(principal) {
      const account = accountOf(principal)
      if (account.streams >= streams) throw tooMany(`${streams} streams may be open at once. Close one.`)
      account.streams++
      let isOpen = true
      return () => {
        if (isOpen) account.streams--
        isOpen = false
      }
    },
  }
}

const minute = 60_000

export const tooMany = (message: string): AgentError => new AgentError('too_many', message, { retryable: true })
