import { type Host, localHost } from '@interleave/core'

/** The used parts of a page's document. */
interface PageDocument {
  readonly visibilityState: string
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/**
 * A host for tabs whose timers stay on time while the tab is hidden. Browsers fire the timers of a hidden page once a
 * second, and after five minutes once a minute, but not those of a worker. So while the page is hidden a small worker
 * is the clock. If the page may not start one (`worker-src` without `blob:`), timers are late, and so are waits,
 * retries and timeouts; streams and everything else are not affected.
 *
 * When the page is hidden, a run persists the draft of a streaming turn, because the page may never be shown again.
 */
export function tabHost(): Host {
  const { document } = globalThis as { readonly document?: PageDocument }
  if (!document) return localHost
  const timers = new PageTimers(document)
  return {
    ...localHost,
    timer: (ms, callback) => timers.start(ms, callback),
    onLeave: (callback) => timers.onLeave(callback),
  }
}

interface Alarm {
  /** By the clock of `performance`, which no user sets. */
  readonly at: number
  readonly ring: () => void
}

class PageTimers {
  readonly #document: PageDocument
  readonly #alarms = new Map<number, Alarm>()
  readonly #leaving = new Set<() => void>()
  #worker: WorkerTimer | undefined
  #count = 0

  constructor(document: PageDocument) {
    this.#document = document
  }

  /** Starts a timer. Returns a function that cancels it. */
  start(ms: number, callback: () => void): () => void {
    const id = ++this.#count
    const cancel = localHost.timer(ms, () => this.#ring(id))
    const ring = (): void => {
      cancel()
      callback()
    }
    const alarm = { at: performance.now() + ms, ring }
    this.#alarms.set(id, alarm)
    this.#listen()
    if (this.#isHidden()) this.#setInWorker(id, alarm)
    return () => {
      this.#alarms.delete(id)
      this.#listen()
      cancel()
    }
  }

  /** Calls back each time that the page is hidden. Returns a function that ends it. */
  onLeave(callback: () => void): () => void {
    const leave = (): void => callback()
    this.#leaving.add(leave)
    this.#listen()
    return () => {
      this.#leaving.delete(leave)
      this.#listen()
    }
  }

  #isHidden(): boolean {
    return this.#document.visibilityState === 'hidden'
  }

  #ring(id: number): void {
    const alarm = this.#alarms.get(id)
    this.#alarms.delete(id)
    this.#listen()
    alarm?.ring()
  }

  #setInWorker(id: number, { at }: Alarm): void {
    this.#worker ??= createWorkerTimer((rung) => this.#ring(rung))
    this.#worker.set(id, Math.max(0, at - performance.now()))
  }

  readonly #onVisibility = (): void => {
    if (!this.#isHidden()) return
    for (const leave of [...this.#leaving]) leave()
    for (const [id, alarm] of this.#alarms) this.#setInWorker(id, alarm)
  }

  /** Listens only while a run waits for something: a page may make many hosts, and none of them is ever ended. */
  #listen(): void {
    if (this.#alarms.size + this.#leaving.size > 0)
      this.#document.addEventListener('visibilitychange', this.#onVisibility)
    else this.#document.removeEventListener('visibilitychange', this.#onVisibility)
  }
}

/** Timers of a worker, which are on time also when the page is hidden. */
interface WorkerTimer {
  set(id: number, ms: number): void
}

const source = 'onmessage = ({ data: [id, ms] }) => setTimeout(postMessage, ms, id)'

/** Creates such a timer; one that never rings if the page may not start a worker. */
function createWorkerTimer(ring: (id: number) => void): WorkerTimer {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    const worker = new Worker(trusted(url))
    worker.onmessage = ({ data }) => ring(data)
    // A policy that forbids it reports that later, by this event.
    worker.onerror = (event) => event.preventDefault()
    return { set: (id, ms) => worker.postMessage([id, Math.min(ms, 2_147_483_647)]) }
  } catch {
    return { set() {} }
  }
}

interface Policy {
  createScriptURL(url: string): string
}
let policy: Policy | undefined

/** Returns the address for a page that requires Trusted Types: its policy must allow the name `interleave`, once. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
  }
  policy ??= trustedTypes?.createPolicy('interleave', { createScriptURL: (own) => own })
  return policy?.createScriptURL(url) ?? url
}
