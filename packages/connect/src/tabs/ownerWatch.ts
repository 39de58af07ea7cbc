import type { Host } from '@interleave/core'

/** Notices that the owner does not answer: it is frozen, or hangs. One that closes or dies is noticed by its lock. */
export interface OwnerWatch {
  start(): void
  stop(): void
  /** The owner said something. */
  heard(): void
  /** Returns true if the owner does not respond. Always false without watchers. */
  isSilent(): boolean
}

interface OwnerWatchOptions {
  readonly host: Pick<Host, 'now' | 'timer'>
  /** Milliseconds of silence until it counts as frozen. */
  readonly takeoverAfterMs: number
  readonly ping: () => void
  readonly onSilence: () => void
}

/**
 * Pings the owner instead of waiting for signs of life: timers of a hidden tab may fire once a minute, but it receives
 * messages. A tab that slept itself starts counting again.
 */
export function createOwnerWatch({ host, takeoverAfterMs, ping, onSilence }: OwnerWatchOptions): OwnerWatch {
  const pace = takeoverAfterMs / 4
  let heard = 0
  let looked = 0
  let cancel: (() => void) | undefined

  const isSilent = (): boolean => cancel !== undefined && host.now() - heard >= takeoverAfterMs
  const look = (): void => {
    const now = host.now()
    if (now - looked > takeoverAfterMs / 2) heard = now
    looked = now
    cancel = host.timer(pace, look)
    if (now - heard >= pace) ping()
    if (isSilent()) onSilence()
  }
  return {
    isSilent,
    start() {
      cancel?.()
      heard = looked = host.now()
      cancel = host.timer(pace, look)
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
    heard() {
      heard = host.now()
    },
  }
}
