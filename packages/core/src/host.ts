import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Ask } from './question.ts'

/**
 * The environment in which a run executes: the source of time, ids and effects. The default is a plain tab or process;
 * a test passes a clock and a counter, and a durable engine its journaled steps.
 */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds that a run was awake: never set back, and without the time in which its process slept. The host of a run has
   * it.
   */
  elapsed?(): number
  /** Milliseconds since that time in which the process of a run slept, or by which its clock was set forward. */
  skipped?(since: number): number
  /** Returns a unique id that cannot be guessed. */
  newId(): string
  /** Calls back once; the returned function cancels it. A process may end before a background timer calls back. */
  timer(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void
  /**
   * Calls back whenever the host may disappear soon, such as when a page is hidden, since events that are not durable
   * by then may be lost. The returned function unsubscribes. Without it, drafts are written by time only.
   */
  onLeave?(callback: () => void): () => void
  /**
   * Calls back when the host is about to end, and its connections may break before, such as a page that is
   * being left. The returned function unsubscribes.
   */
  readonly onUnload?: ((callback: () => void) => () => void) | undefined
  /**
   * Carries out one effect, and returns the result of `body`. All effects of a run pass through it, so a host can also
   * count, delay or store effects, or return a stored result without calling `body`. A body's result is plain JSON.
   *
   * A rejection means that the host failed, and is not a result: `resume()` requests a turn again, and a tool call may
   * have run. A host that is closing leaves the promise pending.
   */
  perform<T>(effect: Effect, body: () => PromiseLike<T>): PromiseLike<T>
}

/**
 * An effect that a run needs from its host, as data. The key is its position in the run (`3/tool/0`), since providers
 * repeat their call ids; it is the same after a crash. Effects inside a tool are part of the tool's effect.
 */
export type Effect = ModelEffect | ToolEffect | OnceEffect | SleepEffect | WaitEffect

/** Calls a model once; the result is its turn, or its failure. */
interface ModelEffect {
  readonly kind: 'model'
  readonly key: string
  /** The id of the model. */
  readonly name: string
  readonly request: ModelRequest
}

/** Runs a tool's function; the result is what the model and the app receive, also if it fails. */
interface ToolEffect {
  readonly kind: 'tool'
  readonly key: string
  readonly name: string
  readonly input: unknown
}

/** A value that a step computes once and persists, `run.once(key, fn)`; the result is that value. */
interface OnceEffect {
  readonly kind: 'once'
  readonly key: string
}

/** Waits, before a model is retried or in a graph; the result is null. */
interface SleepEffect {
  readonly kind: 'sleep'
  readonly key: string
  readonly ms: number
}

/** Waits for the answer to a question; the result is null once the log has it. The run may settle meanwhile. */
interface WaitEffect {
  readonly kind: 'wait'
  /** The id of the question. */
  readonly key: string
  readonly ask: Ask
}

/** Prompt, tools and settings of a call of a model. */
export type ModelRequest = Omit<LanguageModelV4CallOptions, 'abortSignal'>

/** The longest time that platforms can wait at once: 24.8 days. */
const longestTimer = 2_147_483_647
/** Milliseconds after which a timer is late: its process slept. */
const lateMs = 1_000
/** Milliseconds that a late timer still waits, so that what arrived meanwhile is read first, such as an answer. */
const graceMs = 500

/** The used part of the global scope. Only a page has this event. */
const page: Partial<Pick<EventTarget, 'addEventListener' | 'removeEventListener'>> = globalThis

function onUnload(callback: () => void): () => void {
  page.addEventListener?.('beforeunload', callback)
  // A listener that stays would keep the page out of the back/forward cache of Firefox.
  return () => page.removeEventListener?.('beforeunload', callback)
}

/** The page, process or worker itself. */
export const localHost: Host = Object.freeze<Host>({
  now: () => Date.now(),
  // A page loaded by HTTP from another machine has no `randomUUID`.
  newId: () => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
  timer(ms, callback, options) {
    let id: ReturnType<typeof setTimeout> | undefined
    const set = (part: number, ring: () => void): void => {
      id = setTimeout(ring, part)
      // Only Node's timers keep a process alive.
      if (options?.background) (Object(id) as { unref?(): void }).unref?.()
    }
    const wait = (left: number): void => {
      const part = Math.min(Math.max(0, left), longestTimer)
      const due = performance.now() + part
      set(part, () => {
        if (left > part) wait(left - part)
        else if (performance.now() - due > lateMs) set(graceMs, callback)
        else callback()
      })
    }
    wait(ms)
    return () => clearTimeout(id)
  },
  get onUnload() {
    return page.addEventListener && onUnload
  },
  perform: (_effect, body) => body(),
})

/** Returns a time to measure durations with. The clock of a page or process may be set; `elapsed` is not. */
export function elapsedOf(host: Pick<Host, 'now' | 'elapsed'>): number {
  if (host.elapsed) return host.elapsed()
  return host.now === localHost.now ? Math.round(performance.now()) : host.now()
}

/** Hosts that carry out no effect: a run on one of them is only inspected. */
export const dryHosts: WeakSet<Host> = new WeakSet()

/** Waits, as an effect. An abort ends it early, and the caller checks the signal. */
export function sleep({ host, abortSignal }: Sleeper, { key, ms }: Pick<SleepEffect, 'key' | 'ms'>): PromiseLike<null> {
  return host.perform({ kind: 'sleep', key, ms }, async () => {
    // The longest timer of a host may be shorter than this.
    for (let left = ms; left > 0 && !abortSignal.aborted; ) {
      const begun = elapsedOf(host)
      await elapse(host, left, abortSignal)
      const passed = elapsedOf(host) - begun
      // The clock may be set back meanwhile. The timer is right then.
      left = passed < 0 ? 0 : left - passed
    }
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
