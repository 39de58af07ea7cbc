import type { AgentError } from '@interleave/core'
import { locksDenied, type Origin } from './origin.ts'

interface OwnerLockOptions {
  readonly locks: Origin['locks']
  readonly name: string
  readonly onHeld: () => void
  /** Called when it was stolen. */
  readonly onLost: () => void
  /** Called when the browser denies it, except to `tryNow`, which rejects. */
  readonly onDenied: (error: AgentError) => void
}

/** A request for the lock. A new one replaces one that still waits. */
interface Request {
  readonly waiting: AbortController
  release?: () => void
}

/** The lock of a run's owner. The browser gives it to the next in line when a tab closes, reloads or crashes. */
export class OwnerLock {
  readonly #options: OwnerLockOptions
  #current: Request | undefined

  constructor(options: OwnerLockOptions) {
    this.#options = options
  }

  /** Takes it if it is free. */
  tryNow(): Promise<boolean> {
    const { locks, name } = this.#options
    return new Promise((resolve, reject) => {
      const request = this.#begin()
      const granted = (lock: unknown): Promise<void> | undefined => {
        resolve(lock !== null)
        return lock ? this.#hold(request) : undefined
      }
      locks.request(name, { ifAvailable: true }, granted).catch((error: unknown) => {
        if (request.release) this.#end(request, error)
        else reject(locksDenied(error))
      })
    })
  }

  /** Waits in line for it. */
  queue(): void {
    const request = this.#begin()
    this.#request(request, { signal: request.waiting.signal })
  }

  /** Takes it from an owner that no longer responds. */
  steal(): void {
    this.#request(this.#begin(), { steal: true })
  }

  /** Releases it, and leaves the line. */
  release(): void {
    const request = this.#current
    this.#current = undefined
    request?.waiting.abort()
    request?.release?.()
  }

  #begin(): Request {
    this.#current?.waiting.abort()
    this.#current = { waiting: new AbortController() }
    return this.#current
  }

  #request(request: Request, options: LockOptions): void {
    const { locks, name } = this.#options
    locks.request(name, options, () => this.#hold(request)).catch((error: unknown) => this.#end(request, error))
  }

  #hold(request: Request): Promise<void> | undefined {
    // A browser may grant a request that was cancelled a moment before, and `onHeld` may release it at once.
    if (request === this.#current) this.#options.onHeld()
    if (request !== this.#current) return undefined
    return new Promise((resolve) => {
      request.release = resolve
    })
  }

  #end(request: Request, error: unknown): void {
    if (request !== this.#current) return
    this.#current = undefined
    if (request.release) this.#options.onLost()
    else this.#options.onDenied(locksDenied(error))
  }
}
