import type { Effect, Event, Host, Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { createClaim, createEnding, createKept, never, watchedJournal } from './watchedJournal.ts'

/** The turns of models that a segment has. */
interface Turns {
  /** True if a turn was left for another segment. */
  readonly isHeld: boolean
  /** Returns true if there is a turn left in this segment. Otherwise the turn is held back. */
  take(): boolean
}

interface TurnLimits {
  /** Turns of models; 200 by default, or 50 where the host is not `bidirectional`. */
  readonly turns: number
  /** Milliseconds after which the next turn is left to another invocation; 600,000 by default, or 120,000 where the host is not `bidirectional`. */
  readonly ms: number
}

function createTurns({ turns, ms }: TurnLimits, host: Pick<Host, 'now'>): Turns {
  const endsAt = host.now() + ms
  let left = turns
  let isHeld = false
  return {
    get isHeld() {
      return isHeld
    },
    take() {
      if (left > 0 && host.now() < endsAt) {
        left--
        return true
      }
      isHeld = true
      return false
    },
  }
}

/** The current work of a run. */
export interface UnderWay {
  /** True if nothing would be lost or repeated by continuing in another invocation now. */
  readonly isNothing: boolean
  /** Returns true if this question has a waiter. */
  waits(ask: string): boolean
  /** Counts an effect for as long as it lasts. */
  during<T>(effect: Effect, work: () => PromiseLike<T>): Promise<T>
  /** These are kept. */
  note(runId: string, events: readonly Event[]): void
}

export function createUnderWay({ onLess }: { readonly onLess: () => void }): UnderWay {
  const effects = new Set<Effect>()
  const begun = createBegunCalls()
  const waitsOf = (): readonly Effect[] => [...effects].filter(({ kind }) => kind === 'wait')
  /** Returns true if an effect only waits for a user, as does the tool that asks. */
  const isIdle = ({ kind, key }: Effect, waits: readonly Effect[]): boolean =>
    kind === 'wait' || waits.some((wait) => wait.key.startsWith(`${key}/`))
  return {
    get isNothing() {
      if (begun.size > 0) return false
      const waits = waitsOf()
      return [...effects].every((effect) => isIdle(effect, waits))
    },
    waits: (ask) => waitsOf().some(({ key }) => key === ask),
    async during(effect, work) {
      effects.add(effect)
      if (effect.kind === 'wait') onLess()
      try {
        return await work()
      } finally {
        effects.delete(effect)
        onLess()
      }
    },
    note: begun.note,
  }
}

/**
 * Returns the chunks that turn one block, or none, into another. Undefined if chunks cannot express it: its step must
 * be sent again.
 */
interface BegunCalls {
  readonly size: number
  note(runId: string, events: readonly Event[]): void
}

function createBegunCalls(): BegunCalls {
  const calls = new Set<string>()
  return {
    get size() {
      return calls.size
    },
    note(runId, events) {
      for (const event of events) {
        if (event.type === 'called' && !event.resumes) calls.add(`${runId} ${event.call}`)
        if (event.type === 'observed') calls.delete(`${runId} ${event.call}`)
        if (event.type === 'asked') calls.delete(`${runId} ${event.ask.call}`)
      }
    },
  }
}

/** The amount of a run that one invocation does, before the next one continues it. */
export interface SegmentLimits extends TurnLimits {
  /** Milliseconds that a run which waits for a user stays in memory, in case the reply comes soon; 5,000 by default. */
  readonly lingerMs: number
}

/** A segment of a run. It ends when nothing is under way, and the next one continues from the log. */
export interface Segment {
  /** For the run, and those below it. */
  readonly host: Host
  readonly journal: Journal
  attend(run: Run): void
  /** Returns true if another owner took over. Then this segment is over. */
  isOutlived(): Promise<boolean>
  /** Returns true if this question has a waiter. */
  waits(ask: string): boolean
  /** Resolves when this length of the run's own log is durable. */
  untilKept(length: number): Promise<void>
  /** Resolves when the next segment should continue. */
  readonly ended: Promise<void>
  /** From now on nothing of it is written and no effect leaves, as if the process had died. */
  close(): void
}

export interface SegmentOptions {
  readonly runId: string
  readonly journal: Required<Journal>
  readonly limits: SegmentLimits
  readonly host: Host
  /** Returns true if the run executes in another attempt by now. */
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
  /** Checks for another owner before an effect, if the process was paused and woke up with its claim. */
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
