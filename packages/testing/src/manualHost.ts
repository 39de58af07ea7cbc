import type { Host } from '@interleave/core'
import { assertOption } from '@interleave/core/internal'

export interface ManualHost extends Host {
  /** The number of pending timers. */
  readonly timers: number
  /** Advances the clock, and runs the due timers in order. */
  advance(ms: number): Promise<void>
}

/** Creates a host whose clock moves only by `advance`, and whose ids count: `run-1`, `run-2`. */
export function manualHost(): ManualHost {
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  let time = 0
  let ids = 0
  const nextUntil = (end: number) =>
    [...timers].filter(({ at }) => at <= end).reduce((a, b) => (b.at < a.at ? b : a), { at: Infinity, callback: idle })

  return {
    now: () => time,
    newId: () => `run-${++ids}`,
    timer(ms: number, callback: () => void) {
      const timer = { at: time + ms, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    perform: (_, body) => body(),
    get timers() {
      return timers.size
    },
    async advance(ms: number) {
      assertOption(ms >= 0 && Number.isFinite(ms), '`advance(ms)` needs a number of milliseconds, 0 or more.')
      const end = time + ms
      await idle()
      for (let timer = nextUntil(end); timers.delete(timer); timer = nextUntil(end)) {
        time = timer.at
        timer.callback()
        await idle()
      }
      time = end
    },
  }
}

/** Resolves with the next task, when promises and streams have progressed as far as they can. */
const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
