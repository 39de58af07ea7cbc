import type { Effect, Host, Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { createBegunCalls } from './createBegunCalls.ts'
import { pause } from './pause.ts'

/** How much of a run is done by one invocation, before the next one goes on with it. */
export interface SegmentLimits {
  /** Turns of models; 200 by default, or 50 where the host is not `bidirectional`. */
  readonly turns: number
  /** Milliseconds after which the next turn is left to another invocation; 600,000 by default, or 120,000 where the host is not `bidirectional`. */
  readonly ms: number
  /** Milliseconds for which a run that waits for a person stays in memory, in case the answer comes soon; 5,000 by default. */
  readonly lingerMs: number
}

/** A part of a run. It ends where nothing is under way, and the next one goes on from the log. */
export interface Segment {
  /** For the run, and those below it. */
  readonly host: Host
  readonly journal: Journal
  attend(run: Run): void
  /** Whether somebody else has gone on with the run. Then this segment is over. */
  isOutlived(): Promise<boolean>
  /** Whether somebody waits for the answer to this question. */
  waits(ask: string): boolean
  /** Resolves when so much of the run's own log is kept. */
  untilKept(length: number): Promise<void>
  /** Resolves when the next segment is to go on. */
  readonly ended: Promise<void>
  /** From now on nothing of it is written and no effect leaves, as if the process had died. */
  close(): void
}

export interface SegmentOptions {
  readonly runId: string
  readonly journal: Required<Journal>
  readonly limits: SegmentLimits
  readonly host: Host
  /** Whether the run works in another attempt by now. */
  readonly isElsewhere: () => Promise<boolean>
}

export function createSegment(options: SegmentOptions): Segment {
  const { runId, journal, limits, host, isElsewhere } = options
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const endsAt = host.now() + limits.ms
  const busy = new Set<object>()
  const begun = createBegunCalls()
  let run: Run | undefined
  let turns = 0
  let held = 0
  let writing = 0
  let kept = 0
  let isClosed = false
  let claimedAt = host.now()
  const waiting = new Set<() => void>()
  const asking = new Set<string>()

  const lookIfCalm = (): void => {
    const isCalm = held > 0 && busy.size === 0 && begun.size === 0 && writing === 0 && kept >= (run?.state.seq ?? 0)
    if (isClosed || !isCalm) return
    isClosed = true
    end()
  }
  const carryOut = async <T>(effect: Effect, body: () => PromiseLike<T>): Promise<T> => {
    busy.add(effect)
    try {
      if (effect.kind === 'tool' && isStale() && (await isOutlived())) return never()
      return await host.perform(effect, body)
    } finally {
      busy.delete(effect)
      lookIfCalm()
    }
  }
  /** A process that was stopped for a while, and wakes with its claim in hand, looks first whether another one has gone on. */
  const isOutlived = async (): Promise<boolean> => {
    if (!isClosed && ((await isBehind()) || (await isElsewhere()))) {
      isClosed = true
      end()
    }
    return isClosed
  }
  /** Somebody who had not heard of this attempt yet has written to the log. */
  const isBehind = async (): Promise<boolean> => {
    // A write under way tells by itself whether it is refused, and one that is taken is no sign of somebody else.
    while (writing > 0 && !isClosed) await pause(5, host)
    const from = kept
    const more = await journal.read(runId, from)
    return more.length > 0 && writing === 0 && kept === from
  }
  const isStale = (): boolean => {
    const stale = host.now() - claimedAt >= claimMs
    if (stale) claimedAt = host.now()
    return stale
  }
  /** A tool that waits for a person does nothing meanwhile. */
  const wait = async <T>(effect: Effect, body: () => PromiseLike<T>): Promise<T> => {
    asking.add(effect.key)
    const asker = [...busy].find((each) => effect.key.startsWith(`${(each as Effect).key}/`))
    if (asker) busy.delete(asker)
    lookIfCalm()
    try {
      return await host.perform(effect, body)
    } finally {
      asking.delete(effect.key)
      if (asker) busy.add(asker)
    }
  }
  const perform: Host['perform'] = (effect, body) => {
    if (isClosed) return never()
    if (effect.kind === 'wait') return wait(effect, body)
    if (effect.kind !== 'model') return carryOut(effect, body)
    if (turns < limits.turns && host.now() < endsAt) {
      turns++
      return carryOut(effect, body)
    }
    held++
    lookIfCalm()
    return never()
  }
  const write = async <T>(work: () => T | PromiseLike<T>, then: () => void = () => {}): Promise<T> => {
    if (isClosed) return never()
    writing++
    const sentAt = host.now()
    try {
      const done = await work()
      // When it was asked for, and not when it is heard that it was done.
      claimedAt = sentAt
      then()
      return done
    } catch (error) {
      // A failure that comes of going away is none of the run's.
      if (isClosed) return never()
      throw error
    } finally {
      writing--
      lookIfCalm()
    }
  }

  return {
    host: {
      now: () => host.now(),
      newId: () => host.newId(),
      timer: (ms, callback) => host.timer(ms, callback),
      perform,
    },
    journal: {
      append: (id, events, options) =>
        write(
          () => journal.append(id, events, options),
          () => {
            begun.note(id, events)
            if (id !== runId) return
            kept = (events.at(-1)?.seq ?? -1) + 1
            for (const look of [...waiting]) look()
          },
        ),
      claim: (id, length) => write(() => journal.claim(id, length)),
      delete: (id) => write(() => journal.delete(id)),
      async read(id, from) {
        const events = await journal.read(id, from)
        if (id === runId) kept = Math.max(kept, (events.at(-1)?.seq ?? -1) + 1)
        return events
      },
      list: (options) => journal.list(options),
    },
    attend(attended) {
      run = attended
    },
    isOutlived,
    waits: (ask) => asking.has(ask),
    untilKept: (length) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (kept < length) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    ended,
    close() {
      isClosed = true
    },
  }
}

/** A claim is good for so long without another look. */
const claimMs = 1_000

const never = <T>(): Promise<T> => new Promise<T>(() => {})
