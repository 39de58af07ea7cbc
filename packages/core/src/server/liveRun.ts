import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { keptEventsOf } from '../keptEvents.ts'
import type { Run } from '../run.ts'
import type { HostedRun } from '../worker/followRun.ts'
import type { JournalNotes } from './notingJournal.ts'

/** A run that is alive in this process. */
export interface LiveRun {
  readonly id: string
  readonly run: Run
  readonly events: readonly Event[]
  /** How many of its events are in the journal, as far as is known. */
  readonly kept: number
  /** How many of its events others may be told of: those in the journal, and all where the journal does not take them. */
  readonly shown: number
  /** Somebody else went on with it, or it was deleted: it is of no use any more. */
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
  /** How much of its log is known to be in the journal. */
  readonly kept: number
  /** Somebody else went on with it. */
  readonly onConflict: () => void
  /** It may be let go of, if nobody uses it. */
  readonly onIdle: () => void
}

/** `begin` gives the run, once there is somebody who hears what of it is kept. */
export async function createLiveRun(
  { id, kept: known, onConflict, onIdle }: LiveRunOptions,
  begin: (notes: JournalNotes) => Run | Promise<Run>,
): Promise<LiveRun> {
  const listeners = new Set<(live?: LiveEvent) => void>()
  let kept = known
  let shown = known
  let uses = 0
  let isOver = false

  const tell = (live?: LiveEvent): void => {
    for (const listener of [...listeners]) listener(live)
  }
  const show = (length: number): void => {
    shown = Math.max(shown, length)
    tell()
  }
  const onKept = (length: number): void => {
    kept = Math.max(kept, length)
    show(length)
  }
  const run = await begin({ onKept, onConflict })
  const events = keptEventsOf(run)
  const afterRest = async (): Promise<void> => {
    await run.settled
    if (isOver) return
    // What the journal does not take is told all the same: it says so itself.
    show(run.state.seq)
    onIdle()
  }
  const hear = (event: AnyEvent): void => {
    if (!isKept(event)) tell(event)
    else if (event.type === 'rested') void afterRest()
  }
  const leave = run.subscribe(hear)
  if (run.state.rest) void afterRest()

  return {
    id,
    run,
    events,
    get kept() {
      return kept
    },
    get shown() {
      return Math.min(shown, events.length)
    },
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
      const { close } = run as Partial<HostedRun>
      // One that works elsewhere goes on there.
      if (close) close()
      const stopping = close || run.state.rest ? undefined : run.stop()
      tell()
      return stopping
    },
  }
}
