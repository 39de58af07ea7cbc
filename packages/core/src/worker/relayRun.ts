import { draftEvents } from '../draft.ts'
import type { AnyEvent, Owner } from '../event.ts'
import { keptEventsOf } from '../keptEvents.ts'
import type { Run } from '../run.ts'

/** So many events go at once of what was before: a page stays quick while it reads a long log. */
const chunk = 200

/** Tells all of a run: what was, the turn at hand as far as it is, and what comes. Returns what ends it. */
export function relayRun(run: Run, tell: (events: readonly AnyEvent[]) => void): () => void {
  const past = keptEventsOf(run)
  for (let from = 0; from < past.length; from += chunk) tell(past.slice(from, from + chunk))
  const { owner } = run as { readonly owner?: Owner }
  const now = [...(owner ? [{ type: 'owned', by: owner } as const] : []), ...draftEvents(run.state.draft)]
  if (now.length > 0) tell(now)

  let untold: AnyEvent[] = []
  const flush = (): void => {
    const events = untold
    untold = []
    tell(events)
  }
  return run.subscribe((event) => {
    // What happens in one go is told in one go.
    if (untold.push(event) === 1) queueMicrotask(flush)
  })
}
