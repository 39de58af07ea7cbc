import type { Run } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/place'

/** Tells what is not kept of a run, several events of one go together. */
export function tellLive(run: Run, tell: (events: readonly LiveEvent[]) => void): void {
  let untold: LiveEvent[] = []
  run.subscribe((event) => {
    if ('seq' in event) return
    untold.push(event)
    if (untold.length > 1) return
    queueMicrotask(() => {
      const events = untold
      untold = []
      tell(events)
    })
  })
}
