import type { Effect, Host, Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { createClaim } from './createClaim.ts'
import { createEnding } from './createEnding.ts'
import { createKept } from './createKept.ts'
import { createTurns, type TurnLimits } from './createTurns.ts'
import { createUnderWay } from './createUnderWay.ts'
import { never } from './never.ts'
import { watchedJournal } from './watchedJournal.ts'

/** How much of a run is done by one invocation, before the next one goes on with it. */
export interface SegmentLimits extends TurnLimits {
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
  const { runId, limits, host, isElsewhere } = options
  const ending = createEnding()
  const kept = createKept()
  const claim = createClaim(host)
  const turns = createTurns(limits, host)
  let run: Run | undefined

  const endIfCalm = (): void => {
    if (!turns.isHeld || !underWay.isNothing || watched.isWriting) return
    if (kept.length >= (run?.state.seq ?? 0)) ending.end()
  }
  const underWay = createUnderWay({ onLess: endIfCalm })
  const watched = watchedJournal(options.journal, {
    ...{ runId, host, ending, kept, claim },
    onKept: underWay.note,
    onCalm: endIfCalm,
  })
  const isOutlived = async (): Promise<boolean> => {
    if (!ending.isOver && ((await watched.isBehind()) || (await isElsewhere()))) ending.end()
    return ending.isOver
  }
  /** A process that was stopped for a while, and wakes with its claim in hand, looks first whether another one has gone on. */
  const lookFirst = async <T>(effect: Effect, body: () => PromiseLike<T>): Promise<T> =>
    (await isOutlived()) ? never() : host.perform(effect, body)
  const perform: Host['perform'] = (effect, body) => {
    if (ending.isOver) return never()
    if (effect.kind === 'model' && !turns.take()) {
      endIfCalm()
      return never()
    }
    const isLate = effect.kind === 'tool' && claim.isStale()
    return underWay.during(effect, () => (isLate ? lookFirst(effect, body) : host.perform(effect, body)))
  }

  return {
    host: {
      now: () => host.now(),
      newId: () => host.newId(),
      timer: (ms, callback) => host.timer(ms, callback),
      perform,
    },
    journal: watched.journal,
    attend(attended) {
      run = attended
    },
    isOutlived,
    waits: underWay.waits,
    untilKept: kept.until,
    ended: ending.ended,
    close: ending.cutOff,
  }
}
