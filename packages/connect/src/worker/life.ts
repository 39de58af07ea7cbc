import { localHost } from '@interleave/core'

/** Takes a lock for the lifetime of this page or worker, and returns its name; undefined where there are no locks. */
export function holdLife(): Promise<string | undefined> {
  const name = `interleave:life:${localHost.newId()}`
  return new Promise((resolve) => {
    const hold = (): Promise<never> => {
      resolve(name)
      return new Promise(() => {})
    }
    const { locks } = globalThis.navigator ?? {}
    if (locks) locks.request(name, hold).catch(() => resolve(undefined))
    else resolve(undefined)
  })
}

export interface Life {
  readonly port: MessagePort
  /** The lock of the other side. */
  readonly lock: string | undefined
}

/** Calls back once, when the other side is gone: its lock is free then, or its port closed. */
export function whenGone({ port, lock }: Life, callback: () => void): () => void {
  const watch = new AbortController()
  const { signal } = watch
  const tell = (): void => {
    if (signal.aborted) return
    watch.abort()
    callback()
  }
  port.addEventListener('close', tell, { signal })
  const { locks } = globalThis.navigator ?? {}
  if (lock !== undefined) locks?.request(lock, { signal }, tell).catch(() => {})
  return () => watch.abort()
}
