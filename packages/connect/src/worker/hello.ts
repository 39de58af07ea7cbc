import { localHost } from '@interleave/core'
import { count, listOf, maybe, oneOf, shapeOf, text } from '@interleave/core/shapes'

/** The protocol version of page and worker. A shared worker may be older than a reloaded page. */
export const protocol = 4

/** The message of a run that no worker has any more. */
export const unstored = 'The worker that executed this run has ended, and the run was not stored.'

/** The page's first message, with a port of its own. It and the answer `refused` stay the same in every version. */
export interface Hello {
  readonly type: 'interleave'
  readonly protocol: number
  readonly agent: string
  /** Names of the functions and models that the page has. */
  readonly tools: readonly string[]
  readonly models: readonly string[]
  /** Names of the models that have begun to answer: they are loaded. */
  readonly begun: readonly string[]
  /** A lock that the page holds until it leaves. */
  readonly lock?: string
}

/* The shapes are inside the functions: a page needs only the protocol. */

/** Returns true if a message on the worker's port is for us, of any version. */
export const isForUs = (data: unknown): data is Pick<Hello, 'protocol'> =>
  shapeOf({ type: oneOf('interleave'), protocol: count })(data) === undefined

export const isHello = (data: unknown): data is Hello =>
  isForUs(data) &&
  data.protocol === protocol &&
  shapeOf({ agent: text, tools: listOf(text), models: listOf(text), begun: listOf(text), lock: maybe(text) })(data) ===
    undefined

/** Holds a lock until the signal aborts, and returns its name; undefined without Web Locks. */
export function holdLock(signal: AbortSignal): Promise<string | undefined> {
  const name = `interleave:visit:${localHost.newId()}`
  return new Promise((resolve) => {
    const hold = (): Promise<void> => {
      resolve(name)
      return new Promise((release) => signal.addEventListener('abort', () => release()))
    }
    const { locks } = globalThis.navigator ?? {}
    if (locks) locks.request(name, { signal }, hold).catch(() => resolve(undefined))
    else resolve(undefined)
  })
}

export interface Life {
  readonly port: MessagePort
  /** The lock of the other side. */
  readonly lock: string | undefined
}

/** The port of the other side was closed, or only its lock is free: an engine may free that of a side that is alive. */
export type Sign = 'closed' | 'freed'

/** Calls back once, when the other side seems to have ended. */
export function whenGone({ port, lock }: Life, callback: (sign: Sign) => void): () => void {
  const watch = new AbortController()
  const { signal } = watch
  const end = (sign: Sign): void => {
    if (signal.aborted) return
    watch.abort()
    callback(sign)
  }
  port.addEventListener('close', () => end('closed'), { signal })
  const { locks } = globalThis.navigator ?? {}
  if (lock !== undefined) locks?.request(lock, { signal }, () => end('freed')).catch(() => {})
  return () => watch.abort()
}
