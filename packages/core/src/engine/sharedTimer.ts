import type { Host } from '../host.ts'

export interface SharedTimer {
  /** Calls back once after this many milliseconds; the returned function cancels it. */
  readonly timer: Host['timer']
  /** Cancels the host's timer if nothing waits for it, so that it does not keep a process alive. */
  release(): void
}

interface Alarm {
  readonly at: number
  readonly ring: () => void
}

/** Runs many timers on one of the host, since setting and clearing one for each turn and each call is expensive. */
export function sharedTimer(host: Pick<Host, 'now' | 'timer'>): SharedTimer {
  const alarms = new Set<Alarm>()
  let set: { readonly at: number; readonly cancel: () => void } | undefined

  const setFor = (at: number): void => {
    set?.cancel()
    set = { at, cancel: host.timer(Math.max(0, at - host.now()), () => ring(at)) }
  }
  const ring = (at: number): void => {
    set = undefined
    const due = [...alarms].filter((alarm) => alarm.at <= at)
    for (const alarm of due) alarms.delete(alarm)
    const next = Math.min(...[...alarms].map((alarm) => alarm.at))
    if (alarms.size > 0) setFor(next)
    for (const alarm of due) alarm.ring()
  }

  return {
    timer(ms, callback) {
      const alarm = { at: host.now() + ms, ring: callback }
      alarms.add(alarm)
      if (!set || alarm.at < set.at) setFor(alarm.at)
      return () => alarms.delete(alarm)
    },
    release() {
      if (alarms.size > 0) return
      set?.cancel()
      set = undefined
    },
  }
}

/** Returns the host with this timer in place of its own. Not a copy: a host may be an instance of a class. */
export const withTimer = (host: Host, timer: Host['timer']): Host => ({
  now: () => host.now(),
  newId: () => host.newId(),
  perform: (effect, body) => host.perform(effect, body),
  ...(host.onLeave && { onLeave: host.onLeave.bind(host) }),
  timer,
})
