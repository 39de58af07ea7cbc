import { localHost } from '@interleave/core'
import { count, listOf, maybe, oneOf, shapeOf, text } from '@interleave/core/shapes'

/** The protocol version of page and worker. A shared worker may be older than a reloaded page. */
export const protocol = 2

/** The page's first message, with a port of its own. It and the answer `refused` stay the same in every version. */
export interface Hello {
  readonly type: 'interleave'
  readonly protocol: number
  readonly agent: string
  /** Names of the functions and models that the page has. */
  readonly tools: readonly string[]
  readonly models: readonly string[]
  /** A lock that the page holds for as long as it lives. */
  readonly lock?: string
}

/* The shapes are inside the functions: a page needs only the protocol. */

/** Returns true if a message on the worker's port is for us, of any version. */
export const isForUs = (data: unknown): data is Pick<Hello, 'protocol'> =>
  shapeOf({ type: oneOf('interleave'), protocol: count })(data) === undefined

export const isHello = (data: unknown): data is Hello =>
  isForUs(data) &&
  data.protocol === protocol &&
  shapeOf({ agent: text, tools: listOf(text), models: listOf(text), lock: maybe(text) })(data) === undefined

/** Holds a lock for the lifetime of this page or worker, and returns its name; undefined without Web Locks. */
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

/** Calls back once, when the other side has ended: its lock is free then, or its port closed. */
export function whenGone({ port, lock }: Life, callback: () => void): () => void {
  const watch = new AbortController()
  const { signal } = watch
  const end = (): void => {
    if (signal.aborted) return
    watch.abort()
    callback()
  }
  port.addEventListener('close', end, { signal })
  const { locks } = globalThis.navigator ?? {}
  if (lock !== undefined) locks?.request(lock, { signal }, end).catch(() => {})
  return () => watch.abort()
}
