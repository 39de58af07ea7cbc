import type { OwnedRun } from '@interleave/connect/internal'
import { type Event, type Host, isAgentError, type RunState } from '@interleave/core'

import {
  addPlaced,
  checkNext,
  draftEvents,
  initialState,
  isDue,
  type Placed,
  type ShownRun,
} from '@interleave/core/internal'

import type { Journal } from '@interleave/core/journal'
import { isKept, type LiveEvent, reduce } from '@interleave/core/observe'

import type { LiveRuns } from './liveRuns.ts'

/**
 * Queued live events for one consumer, which may be slow. Deltas of one text are merged; beyond the limit, the draft
 * replaces them.
 */
interface LiveBacklog {
  add(event: LiveEvent, after: number): void
  /** Returns the pending events after this many durable ones. Omits those of a turn that they contain. */
  take(after: number): readonly LiveEvent[]
}

export function createLiveBacklog(view: Pick<ShownRun, 'state' | 'kept'>, maxChars: number): LiveBacklog {
  let waiting: Placed[] = []
  let chars = 0
  /** The reader has missed something, or has just come. */
  let isBehind = true

  const clear = (): void => {
    waiting = []
    chars = 0
  }
  return {
    add(event, after) {
      if (isBehind) return
      chars += sizeOf(event)
      if (chars > maxChars) {
        isBehind = true
        return clear()
      }
      addPlaced(waiting, { after, event })
    },
    take(after) {
      if (isBehind) {
        if (view.state.seq > after) return []
        isBehind = false
        clear()
        return view.state.draft ? draftEvents(view.state.draft) : [{ type: 'rewound', to: after }]
      }
      const due = waiting.filter((each) => isDue(each, view.kept, after))
      waiting = waiting.filter((each) => each.after > after)
      chars = waiting.reduce((sum, { event }) => sum + sizeOf(event), 0)
      return due.map(({ event }) => event)
    },
  }
}

/** Outputs of tools may be large, and are looked at no closer: few of them are many characters. */
const sizeOf = (event: LiveEvent): number =>
  100 +
  (event.type === 'delta' ? event.delta.length : event.type === 'progressed' ? JSON.stringify(event.output).length : 0)

/** A run as one reader sees it: while it is alive here that is the run itself, and otherwise the journal. */
export interface RunSource {
  /** Returns the current view; undefined if the run does not exist. */
  look(): Promise<RunView | undefined>
  /** Returns the live events after this many durable ones. */
  takeLive(after: number): readonly LiveEvent[]
  /** Milliseconds between polls for changes without a notification. */
  readonly pollMs: number
  leave(): void
}

export interface RunView {
  /** The events that the journal has. */
  readonly events: readonly Event[]
  /** The fold of them. */
  readonly state: RunState
  /** The failure while the journal rejects writes. */
  readonly fault: ShownRun['fault']
}

export interface RunSourceOptions {
  readonly id: string
  readonly runs: LiveRuns
  readonly journal: Journal
  readonly host: Pick<Host, 'now'>
  /** Characters of live events that may wait. */
  readonly liveChars: number
  /** Called when there is more to look at. */
  readonly onMore: () => void
}

const pollMs = 1_000

export function createRunSource({ id, runs, journal, host, liveChars, onMore }: RunSourceOptions): RunSource {
  let past: readonly Event[] = []
  let pastState: RunState = initialState
  let attached: Attached | undefined
  /** True if it cannot be resumed here. */
  let isForeign = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLeft = false

  const detach = (): void => {
    attached?.leave()
    attached = undefined
  }
  const attach = (live: OwnedRun): void => {
    if (attached?.live === live) return
    detach()
    attached = attachTo(live, { runs, liveChars, onMore })
  }
  /** Reads new events of the journal. Returns true if there are any. */
  const readOn = async (): Promise<boolean> => {
    const last = Math.max(0, past.length - 1)
    const read = checkNext(await journal.read(id, last), last)
    const more = read.slice(past.length - last)
    if (more.length > 0) {
      past = [...past, ...more]
      pastState = more.reduce<RunState>((state, event) => reduce(state, event), pastState)
    }
    return read.length > 0
  }
  /** Polls for a settled run, because it receives no notification of what others do with it. */
  const find = async (): Promise<OwnedRun | undefined> => {
    if (host.now() - lookedAt < pollMs) return runs.findRun(id)
    lookedAt = host.now()
    return runs.checkRun(id)
  }
  /** Gives whether it works here now. What failed for the moment is tried again with the next look. */
  const takeOver = async (): Promise<boolean> => {
    try {
      await runs.openRun(id)
      return true
    } catch (error) {
      isForeign = !(isAgentError(error) && error.retryable)
      return false
    }
  }

  return {
    leave() {
      isLeft = true
      detach()
    },
    get pollMs() {
      // Who goes on with a run that works here is noticed by it.
      const isTold = !runs.isShared || attached?.live.run.state.rest === undefined
      return attached && isTold ? Number.POSITIVE_INFINITY : pollMs
    },
    takeLive: (after) => attached?.backlog.take(after) ?? [],
    async look() {
      if (isLeft) return undefined
      const live = await find()
      if (isLeft) return undefined
      if (live) {
        attach(live)
        const { kept, state, fault } = live.view
        return { events: kept, state, fault }
      }
      detach()
      if (!(await readOn())) return undefined
      if (runs.isAbandoned(id, pastState) && !isForeign && (await takeOver())) return this.look()
      return { events: past, state: pastState, fault: undefined }
    },
  }
}

interface Attached {
  readonly live: OwnedRun
  readonly backlog: LiveBacklog
  leave(): void
}

function attachTo(
  live: OwnedRun,
  { runs, liveChars, onMore }: Pick<RunSourceOptions, 'runs' | 'liveChars' | 'onMore'>,
): Attached {
  const backlog = createLiveBacklog(live.view, liveChars)
  const endUse = runs.useRun(live.id)
  const unsubscribe = live.subscribe((event) => {
    if (event && !isKept(event)) backlog.add(event, live.view.state.seq)
    onMore()
  })
  return {
    live,
    backlog,
    leave() {
      unsubscribe()
      endUse()
    },
  }
}
