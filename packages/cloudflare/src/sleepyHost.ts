import { type Host, localHost } from '@interleave/core'

/** The host of a run that may wait for days: it knows when all that is done is to let time pass. */
export interface SleepyHost extends Host {
  /** When the first of those that let time pass is over; undefined while anything else is done, or nothing. */
  sleepsUntil(): number | undefined
}

export function sleepyHost(): SleepyHost {
  const ends = new Set<{ readonly at: number }>()
  let busy = 0
  return {
    ...localHost,
    async perform(effect, body) {
      if (effect.kind === 'wait') return body()
      if (effect.kind === 'sleep') {
        const end = { at: localHost.now() + effect.ms }
        ends.add(end)
        return Promise.resolve(body()).finally(() => ends.delete(end))
      }
      busy++
      return Promise.resolve(body()).finally(() => busy--)
    },
    sleepsUntil: () => (busy > 0 || ends.size === 0 ? undefined : Math.min(...[...ends].map(({ at }) => at))),
  }
}
