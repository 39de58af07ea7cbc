import { type Host, localHost } from '@interleave/core'

/** As far as a page has one. */
interface PageDocument {
  readonly visibilityState: string
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

interface Alarm {
  readonly at: number
  readonly ring: () => void
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
  const alarms = new Map<number, Alarm>()
  const leaving = new Set<() => void>()
  let timer: WorkerTimer | undefined
  let count = 0

  const isHidden = (): boolean => document.visibilityState === 'hidden'
  const ring = (id: number): void => {
    const alarm = alarms.get(id)
    alarms.delete(id)
    listen()
    alarm?.ring()
  }
  const watch = (id: number, { at }: Alarm): void => {
    timer ??= createWorkerTimer(ring)
    timer.set(id, Math.max(0, at - Date.now()))
  }
  const look = (): void => {
    if (!isHidden()) return
    for (const leave of [...leaving]) leave()
    for (const [id, alarm] of alarms) watch(id, alarm)
  }
  /** Only while a run waits for something: a page may make many hosts, and none of them is ever ended. */
  const listen = (): void => {
    if (alarms.size + leaving.size > 0) document.addEventListener('visibilitychange', look)
    else document.removeEventListener('visibilitychange', look)
  }

  return {
    ...localHost,
    timer(ms, callback) {
      const id = ++count
      const cancel = localHost.timer(ms, () => ring(id))
      const alarm = {
        at: Date.now() + ms,
        ring() {
          cancel()
          callback()
        },
      }
      alarms.set(id, alarm)
      listen()
      if (isHidden()) watch(id, alarm)
      return () => {
        alarms.delete(id)
        listen()
        cancel()
      }
    },
    onLeave(callback) {
      const leave = (): void => callback()
      leaving.add(leave)
      listen()
      return () => {
        leaving.delete(leave)
        listen()
      }
    },
  }
}

/** Timers of a worker, which are on time also when the page is hidden. */
interface WorkerTimer {
  set(id: number, ms: number): void
}

const source = 'onmessage = ({ data: [id, ms] }) => setTimeout(postMessage, ms, id)'

/** One that never rings, where the page may not start a worker. */
function createWorkerTimer(ring: (id: number) => void): WorkerTimer {
  try {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    const worker = new Worker(trusted(url))
    worker.onmessage = ({ data }) => ring(data)
    // A policy that forbids it shows itself here, later.
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

/** The address for a page that demands Trusted Types: its policy has to allow the name `interleave`, once. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
  }
  policy ??= trustedTypes?.createPolicy('interleave', { createScriptURL: (own) => own })
  return policy?.createScriptURL(url) ?? url
}
