import { setTimeout as pause } from 'node:timers/promises'

/** Data on its way through a front, or the end of what one side sends. */
export interface Passing {
  readonly to: 'client' | 'server'
  /** None is the end. */
  readonly data: Buffer | undefined
  /** True if the server has sent something on this connection. */
  readonly isAnswered: boolean
  /** Aborts when another passage begins. */
  readonly signal: AbortSignal
  write(data: Buffer): Promise<void>
  /** Breaks the connection. With `late`, the server still gets this data after so many milliseconds. */
  end(late?: { readonly data: Buffer; readonly ms: number }): void
}

/** What a network does with data. `held` gives it to the next passage. */
export type Passage = (passing: Passing) => Promise<'held' | undefined>

/** No trouble: all passes. */
export const clear: Passage = async ({ data, write }) => {
  if (data) await write(data)
  return undefined
}

/** Packets are dropped, and nothing is closed. When it is over, they are sent again, as TCP does. */
export const blackHole: Passage = async ({ signal }) => {
  await over(signal)
  return 'held'
}

export interface SlowLink {
  readonly bytesPerSecond: number
  /** The share of packets that stall, and the milliseconds for which they do. */
  readonly stalls?: { readonly share: number; readonly ms: number; readonly random: () => number }
}

/** A link of few bytes a second, in small packets, some of which stall. */
export function slowLink({ bytesPerSecond, stalls }: SlowLink): Passage {
  return async ({ data = Buffer.alloc(0), write, signal }) => {
    for (let at = 0; at < data.length; at += packet) {
      const part = data.subarray(at, at + packet)
      const stallMs = stalls && stalls.random() < stalls.share ? stalls.ms : 0
      // What is left of it when the trouble is over arrives at once.
      await pause((part.length / bytesPerSecond) * 1_000 + stallMs, undefined, { signal }).catch(() => {})
      await write(part)
    }
    return undefined
  }
}

const packet = 500

/** Breaks a share of connections in the middle of a character of UTF-8, or of a field of an event, on the way to the client. */
export function cuts({ share, random }: { readonly share: number; readonly random: () => number }): Passage {
  return async (passing) => {
    const { data, to, write, end } = passing
    const at = data && to === 'client' ? middleOf(data) : undefined
    if (!data || at === undefined || random() >= share) return clear(passing)
    await write(data.subarray(0, at))
    // Written data still goes out.
    await pause(20)
    end()
    return undefined
  }
}

/** Returns where a cut is in the middle of a character, or else of the name of a field. */
function middleOf(data: Buffer): number | undefined {
  const lead = data.findIndex((byte) => byte >= 0xc2)
  if (lead >= 0 && lead + 1 < data.length) return lead + 1
  const field = data.indexOf('data:')
  return field >= 0 ? field + 2 : undefined
}

export interface Losses {
  /** The share of requests whose answers are lost, from 0 to 1. */
  readonly share: number
  readonly random: () => number
  /** The longest time after which such a request still reaches the server, in milliseconds. */
  readonly lateMs: number
  /** True if it loses the first request of a connection too. */
  readonly isAtOnce?: boolean
  readonly onLoss?: () => void
}

/**
 * Loses answers: the connection breaks, and the server gets the request at once, or after the client has looked whether
 * it has it. By default a connection is set up without a loss, since nothing is written by that.
 */
export function losesAnswers({ share, random, lateMs, isAtOnce = false, onLoss }: Losses): Passage {
  return async (passing) => {
    const { data, to, isAnswered, end } = passing
    if (!data || to === 'client' || !(isAnswered || isAtOnce) || random() >= share) return clear(passing)
    onLoss?.()
    end({ data, ms: random() < 0.5 ? 0 : random() * lateMs })
    return undefined
  }
}

const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
