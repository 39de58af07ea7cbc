import type { RemoteRun } from '@interleave/connect/internal'
import type { Event, Run } from '@interleave/core'
import { keptEventsOf, type ShownRun, shownRun } from '@interleave/core/internal'
import { isKept, type LiveEvent } from '@interleave/core/observe'

/** A run that is alive in this process. */
export interface LiveRun {
  readonly id: string
  readonly run: Run
  readonly events: readonly Event[]
  /** The part of it that clients may see: what the journal has. */
  readonly view: ShownRun
  /** True if another owner took over, or it was deleted. */
  readonly isOver: boolean
  /** Told of each live event, and without one when there is something else to look at. Returns what ends it. */
  subscribe(listener: (live?: LiveEvent) => void): () => void
  /** It is used until the returned function is called. */
  use(): () => void
  readonly isUsed: boolean
  /** Gives when what works here has come to its end. */
  end(): PromiseLike<void> | undefined
}

export interface LiveRunOptions {
  readonly id: string
  /** Returns true if another owner took over. */
  readonly onConflict: () => void
  /** Called when it may be freed, if nothing uses it. */
  readonly onIdle: () => void
}

/** Creates a live run. `begin` returns the run, and reports when another owner takes over. */
export async function createLiveRun(
  { id, onConflict, onIdle }: LiveRunOptions,
  begin: (onConflict: () => void) => Run | Promise<Run>,
): Promise<LiveRun> {
  const listeners = new Set<(live?: LiveEvent) => void>()
  let uses = 0
  let isOver = false

  const tell = (live?: LiveEvent): void => {
    for (const listener of [...listeners]) listener(live)
  }
  const run = await begin(onConflict)
  const view = shownRun(run)
  const afterRest = async (): Promise<void> => {
    await run.settled
    if (!isOver) onIdle()
  }
  const leave = view.subscribe((event) => {
    tell(isKept(event) ? undefined : event)
    if (event.type === 'rested') void afterRest()
  })
  if (run.state.rest) void afterRest()

  return {
    id,
    run,
    events: keptEventsOf(run),
    view,
    get isOver() {
      return isOver
    },
    get isUsed() {
      return uses > 0
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    use() {
      uses++
      let isDone = false
      return () => {
        if (isDone) return
        isDone = true
        uses--
        if (uses === 0) onIdle()
      }
    },
    end() {
      isOver = true
      leave()
      // Its tools and models hear of it. What it writes of that is refused.
      const { close } = run as Partial<RemoteRun>
      // One that works elsewhere goes on there.
      if (close) close()
      const stopping = close || run.state.rest ? undefined : run.stop()
      tell()
      return stopping
    },
  }
}
