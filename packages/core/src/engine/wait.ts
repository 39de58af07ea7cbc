import { AgentError, reportLater } from '../error.ts'
import type { Host } from '../host.ts'
import { cached } from '../json.ts'
import { remove } from './runHost.ts'

/** Milliseconds of work after which it yields to the rest of the page. */
const longest = 12
/** The number of items after which it yields on platforms whose clock stops while code runs, such as Cloudflare. */
const most = 10_000

/** Creates a function to call after each item of a loop. It returns a promise when other work has waited long. */
export function yielder(clock: Pick<Host, 'now'>, every = 1): () => Promise<void> | undefined {
  let since: number | undefined
  let items = 0
  return () => {
    if (++items % every !== 0) return undefined
    since ??= clock.now()
    if (items < most && clock.now() - since < longest) return undefined
    return yieldToOthers().then(() => {
      since = clock.now()
      items = 0
    })
  }
}

/** Yields by a message where possible, since browsers delay timers of hidden tabs by a second. */
function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** Returns the result of foreign code, or rejects with a stop's reason if that comes first. */
export async function orStopped<T>(value: T | PromiseLike<T>, run: AbortSignal): Promise<T> {
  const breaker = new Breaker(run)
  try {
    return await breaker.race(Promise.resolve(value), ignore)
  } finally {
    breaker.end()
  }
}

/** The part of a run that waits. */
interface Waiting {
  readonly host: Pick<Host, 'timer'>
  readonly abortSignal: AbortSignal
}

interface Bounded {
  /** The kind of code, such as `check`, for the error if it takes too long. */
  readonly name: string
  readonly timeoutMs: number
}

/**
 * Returns the result of foreign code, or rejects if it takes too long or the run is stopped. Sets no timer for a result
 * that is there at once.
 */
export async function inTime<T>(
  { host, abortSignal }: Waiting,
  { name, timeoutMs }: Bounded,
  work: (breaker: Pick<Breaker, 'abortSignal'>) => T | PromiseLike<T>,
): Promise<T> {
  const breaker = new Breaker(abortSignal)
  const late = () => breaker.break(new AgentError('step_failed', `The ${name} took longer than ${timeoutMs} ms.`))
  let cancel = ignore
  try {
    const result = work(breaker)
    if (timeoutMs < Number.POSITIVE_INFINITY && 'then' in Object(result)) cancel = host.timer(timeoutMs, late)
    return await breaker.race(Promise.resolve(result), ignore)
  } finally {
    cancel()
    breaker.end()
  }
}

interface Attempt extends Bounded {
  readonly onError: (error: unknown) => unknown
}

/** Returns the result of a service that a run can do without, or undefined if it fails, times out, or the run is stopped. */
export async function attempt<T>(
  run: Waiting,
  { onError, ...bounded }: Attempt,
  work: (abortSignal: AbortSignal) => T | PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await inTime(run, bounded, ({ abortSignal }) => Promise.resolve(abortSignal).then(work))
  } catch (error) {
    // The receiver may fail, too.
    if (!run.abortSignal.aborted) (async () => onError(error))().catch(reportLater)
    return undefined
  }
}

/** Writes the queue while a model works, with one retry. Rejects if that fails too, as for a stale owner. */
export function keepMeanwhile(run: { durable(): PromiseLike<void> | undefined }): PromiseLike<void> | undefined {
  const keeping = run.durable()?.then(undefined, () => run.durable())
  keeping?.then(undefined, ignore)
  return keeping
}

/** Abandons work before it is over, whether or not the work listens to its signal. */
export class Breaker {
  /** Set once the work is abandoned. Boxed, because the reason may be anything, also undefined. */
  broken: Broken | undefined = undefined
  /** The breakers of its run. */
  readonly #all: Breaker[]
  #controller: AbortController | undefined = undefined
  #reject: (reason: unknown) => void = ignore

  /** Creates a breaker that abandons its work when the run is stopped. */
  constructor(run: AbortSignal) {
    this.#all = breakersOf(run)
    if (run.aborted) this.break(run.reason)
    else this.#all.push(this)
  }

  /** Aborts when the work is abandoned. Created at first access, because few tools use it. */
  get abortSignal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.broken) this.#controller.abort(this.broken.reason)
    }
    return this.#controller.signal
  }

  /** Abandons the work. Only the first reason counts. */
  break(reason: unknown): void {
    if (this.broken) return
    this.broken = { reason }
    this.#controller?.abort(reason)
    this.#reject(reason)
  }

  /** Returns the result of the work, or rejects once it is abandoned. Calls `late` if it then still succeeds. */
  race<T>(work: PromiseLike<T>, late: (value: T) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject
      if (this.broken) reject(this.broken.reason)
      work.then((value) => (this.broken ? reportLate(late, value) : resolve(value)), reject)
    })
  }

  /** Ends the breaker, because the work is over. */
  end(): void {
    remove(this.#all, this)
  }
}

const breakers = new WeakMap<AbortSignal, Breaker[]>()

/**
 * Returns the breakers of a run, which a stop breaks. A run has one listener: adding and removing one for each call
 * costs more than the call.
 */
const breakersOf = (run: AbortSignal): Breaker[] =>
  cached(breakers, run, () => {
    const those: Breaker[] = []
    run.addEventListener('abort', () => {
      for (const breaker of those.slice()) breaker.break(run.reason)
    })
    return those
  })

interface Broken {
  readonly reason: unknown
}

/** Reports a late result. Exceptions of the receiver are ignored, since nothing waits for it. */
function reportLate<T>(late: (value: T) => void, value: T): void {
  try {
    late(value)
  } catch {}
}

export const ignore = (): void => {}
