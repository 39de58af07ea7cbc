import type { Run } from '@interleave/core'
import { localHost } from '@interleave/core'
import type { Owner } from '@interleave/core/internal'
import { draftEvents, shownRun } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'

/** So many events go at once of what was before: a page stays quick while it reads a long log. */
const chunk = 200

/** Tells all of a run that is durable: what was, the turn at hand as far as it is, and what comes. Returns what ends it. */
export function relayRun(run: Run, tell: (events: readonly AnyEvent[]) => void): () => void {
  const shown = shownRun(run)
  const past = shown.fault ? [...shown.kept, shown.fault] : shown.kept
  for (let from = 0; from < past.length; from += chunk) tell(past.slice(from, from + chunk))
  const { owner } = run as { readonly owner?: Owner }
  const now = [
    ...(owner ? [{ type: 'owned', by: owner } as const] : []),
    ...(shown.fault ? [] : draftEvents(shown.state.draft)),
  ]
  if (now.length > 0) tell(now)

  const queue = createQueue(tell)
  const leave = shown.subscribe(queue.add)
  return () => {
    leave()
    queue.end()
  }
}

/**
 * Tells at once what comes after a while, and of what comes quickly many events together: a message costs more than what is
 * in it.
 */
function createQueue(tell: (events: readonly AnyEvent[]) => void): { add(event: AnyEvent): void; end(): void } {
  let untold: AnyEvent[] = []
  let calm = (): void => {}
  let isBusy = false
  const flush = (): void => {
    isBusy = untold.length > 0
    if (!isBusy) return
    const events = untold
    untold = []
    tell(events)
    calm = localHost.timer(0, flush)
  }
  return {
    add(event) {
      untold.push(event)
      if (isBusy) return
      isBusy = true
      queueMicrotask(flush)
    },
    end() {
      calm()
      untold = []
    },
  }
}
