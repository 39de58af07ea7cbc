import { reportLater } from '@interleave/core/internal'
import type { Origin } from './origin.ts'

/** The lock of a run's owner. The browser gives it to the next in line when a tab closes, reloads or crashes. */
export interface OwnerLock {
  /** Takes it if it is free. */
  tryNow(): Promise<boolean>
  /** Waits in line for it. */
  queue(): void
  /** Takes it from an owner that no longer responds. */
  steal(): void
  /** Gives it back, and leaves the line. */
  release(): void
}

interface OwnerLockOptions {
  readonly locks: Origin['locks']
  readonly name: string
  readonly onHeld: () => void
  /** Somebody stole it. */
  readonly onLost: () => void
}

/** One request at a time: a new one replaces one that still waits. */
interface Request {
  readonly waiting: AbortController
  letGo?: () => void
}

export function createOwnerLock({ locks, name, onHeld, onLost }: OwnerLockOptions): OwnerLock {
  let current: Request | undefined

  const hold = (request: Request): Promise<void> | undefined => {
    // A browser may grant what was called off a moment before; and whoever hears of it may give it back at once.
    if (request === current) onHeld()
    if (request !== current) return undefined
    return new Promise((resolve) => {
      request.letGo = resolve
    })
  }
  const begin = (): Request => {
    current?.waiting.abort()
    current = { waiting: new AbortController() }
    return current
  }
  const ended = (request: Request, error: unknown): void => {
    if (request !== current) return
    current = undefined
    if (request.letGo) onLost()
    else reportLater(error)
  }

  return {
    tryNow: () =>
      new Promise((resolve, reject) => {
        const request = begin()
        const granted = (lock: unknown): Promise<void> | undefined => {
          resolve(lock !== null)
          return lock ? hold(request) : undefined
        }
        locks.request(name, { ifAvailable: true }, granted).catch((error: unknown) => {
          if (request.letGo) ended(request, error)
          else reject(error)
        })
      }),
    queue() {
      const request = begin()
      const { signal } = request.waiting
      locks.request(name, { signal }, () => hold(request)).catch((error: unknown) => ended(request, error))
    },
    steal() {
      const request = begin()
      locks.request(name, { steal: true }, () => hold(request)).catch((error: unknown) => ended(request, error))
    },
    release() {
      const request = current
      current = undefined
      request?.waiting.abort()
      request?.letGo?.()
    },
  }
}
