import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

/**
 * The place that a run lives in: where time, ids and effects come from. The default is a plain tab or process; a test
 * passes a clock and a counter, and a durable engine its journaled steps.
 */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /** An id that nobody can guess and no other run has. */
  newId(): string
  /** Calls back once after so many milliseconds; the returned function calls it off. */
  timer(ms: number, callback: () => void): () => void
  /** Performs one effect: a model call or a tool call. What it does is described, so that a place can journal it. */
  perform<T>(effect: Effect, body: () => PromiseLike<T>): PromiseLike<T>
}

/** An effect as data. `key` is positional (`3/tool/0`), since providers repeat their own call ids. */
export interface Effect {
  readonly key: string
  readonly kind: 'model' | 'tool'
  readonly name: string
  /** What a model is asked with. */
  readonly request?: ModelRequest
}

/** Prompt, tools and settings of a call of a model. */
export type ModelRequest = Omit<LanguageModelV4CallOptions, 'abortSignal'>

/** The page, process or worker itself. */
export const localHost: Host = Object.freeze({
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  timer(ms: number, callback: () => void) {
    const id = setTimeout(callback, Math.min(ms, 2_147_483_647))
    return () => clearTimeout(id)
  },
  perform: <T>(_effect: Effect, body: () => PromiseLike<T>) => body(),
})

/** Waits; an abort ends the wait early, and the caller looks at the signal. */
export function sleep(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = host.timer(ms, done)
    signal.addEventListener('abort', done)
  })
}
