import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Ask } from './question.ts'

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
  /**
   * Calls back each time when the place may be gone soon, as a page that is hidden: what is not kept by then may be lost. The
   * returned function calls it off. Without it a run keeps what it has by time alone.
   */
  onLeave?(callback: () => void): () => void
  /**
   * Carries out one effect, and gives what `body` gives. This is the one way out of the loop, so that a place can do more than
   * call `body`: count, delay, keep what came of it, or give that without calling `body` again. What a body gives is plain JSON.
   *
   * A rejection is the place's own failure and no result: a turn is asked for again by `resume()`, and a call may have happened.
   * A place that is going away leaves the promise as it is.
   */
  perform<T>(effect: Effect, body: () => PromiseLike<T>): PromiseLike<T>
}

/**
 * What a run wants of the world, as data. The key says which one it is, by its place in the run (`3/tool/0`) since providers repeat
 * their own call ids: the same after a crash, when the same is wanted again. Effects inside of a tool are part of its own.
 */
export type Effect = ModelEffect | ToolEffect | OnceEffect | SleepEffect | WaitEffect

/** A model is asked once; gives its turn, or how it failed. */
export interface ModelEffect {
  readonly kind: 'model'
  readonly key: string
  /** Of the model. */
  readonly name: string
  readonly request: ModelRequest
}

/** A tool's function runs; gives what the model and the app are told of it, also where it fails. */
export interface ToolEffect {
  readonly kind: 'tool'
  readonly key: string
  readonly name: string
  readonly input: unknown
}

/** What a step does once and keeps, `run.once(key, fn)`; gives what it came to. */
export interface OnceEffect {
  readonly kind: 'once'
  readonly key: string
}

/** Time passes, before a model is tried again or in a graph; gives null. */
export interface SleepEffect {
  readonly kind: 'sleep'
  readonly key: string
  readonly ms: number
}

/** A question is open; gives null once the log has the answer. The run may come to its rest meanwhile. */
export interface WaitEffect {
  readonly kind: 'wait'
  /** The id of the question. */
  readonly key: string
  readonly ask: Ask
}

/** Prompt, tools and settings of a call of a model. */
export type ModelRequest = Omit<LanguageModelV4CallOptions, 'abortSignal'>

/** The page, process or worker itself. */
export const localHost: Host = Object.freeze<Host>({
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  timer(ms, callback) {
    const id = setTimeout(callback, Math.min(ms, 2_147_483_647))
    return () => clearTimeout(id)
  },
  perform: (_effect, body) => body(),
})

/** Lets time pass, as an effect. An abort ends it early, and the caller looks at the signal. */
export function sleep({ host, abortSignal }: Sleeper, { key, ms }: Pick<SleepEffect, 'key' | 'ms'>): PromiseLike<null> {
  return host.perform({ kind: 'sleep', key, ms }, async () => {
    const end = host.now() + ms
    // The longest timer of a place may be shorter than this.
    for (let left = ms; left > 0 && !abortSignal.aborted; left = end - host.now()) await elapse(host, left, abortSignal)
    return null
  })
}

interface Sleeper {
  readonly host: Host
  readonly abortSignal: AbortSignal
}

function elapse(host: Host, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = host.timer(ms, done)
    signal.addEventListener('abort', done)
  })
}
