import {
  type Agent,
  AgentError,
  type Failure,
  type Host,
  isAgentError,
  type Observer,
  type Run,
} from '@interleave/core'
import { keptEventsOf } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { StartCommand } from './asked.ts'
import { borrowPages } from './borrowPages.ts'
import { commandsOf } from './commandsOf.ts'
import { createNews } from './createFollowers.ts'
import type { Inbox } from './createInbox.ts'
import { createSegment, type SegmentLimits } from './createSegment.ts'
import { openRun } from './openRun.ts'
import { pause } from './within.ts'
import type { Worked } from './workObject.ts'

/** Returns true if a run failed because a write was too large. */
const isFull = ({ state: { rest } }: Run): boolean => rest?.type === 'failed' && rest.error.code === 'journal_full'

/**
 * Persists the signal instead of the oversized write. A page with its own run already knows it; here clients see only
 * the log. Resuming starts the open calls again.
 */
async function keepFull(run: Run, journal: Pick<Journal, 'append' | 'read'>): Promise<void> {
  const rested = keptEventsOf(run).at(-1)
  const last = (await journal.read(run.id)).at(-1)
  if (rested?.type !== 'rested' || !last) return
  await journal.append(run.id, [{ ...rested, seq: last.seq + 1, iteration: last.iteration }])
}

/** The work under way, and its error. */
interface Busy {
  readonly isBusy: boolean
  begin(work: Promise<unknown>): void
  /** Resolves when nothing is under way. Rejects with what went wrong first. */
  calm(): Promise<void>
}

export function createBusy(): Busy {
  const works = new Set<Promise<unknown>>()
  let fault: { readonly error: unknown } | undefined
  return {
    get isBusy() {
      return works.size > 0
    },
    begin(work) {
      const done = work
        .catch((error: unknown) => {
          fault ??= { error }
        })
        .finally(() => works.delete(done))
      works.add(done)
    },
    async calm() {
      while (works.size > 0) await Promise.all(works)
      if (fault) throw fault.error
    },
  }
}

export interface WorkOnOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly journal: Required<Journal>
  readonly inbox: Inbox
  readonly limits: SegmentLimits
  readonly host: Host
  /** Aborted when the attempt is over: another one may continue the run. */
  readonly abortSignal: AbortSignal
  readonly observers: readonly Observer[]
  /** Hears why it cannot work now. */
  readonly onFault?: (error: unknown) => void
  /** The start command. In the first attempt there are no earlier commands. */
  readonly start?: StartCommand & { readonly isFirst: boolean }
  /** Milliseconds between polls for commands, without `hear()`. */
  readonly lookMs?: number
  /** Milliseconds in which followers notice what the run needs. */
  readonly heardMs: number
}

export interface Ended {
  readonly end: Worked
  /** Why it did not begin. */
  readonly failure?: Failure
}

/** A run that executes here, until it settles without pending commands, or for a segment. */
export interface Working {
  readonly ended: Promise<Ended>
  /** Returns true if no command is being carried out. */
  isIdle(): boolean
  /** Something was asked of it. */
  hear(): void
  /** From now on nothing of it is written and no effect leaves. */
  close(): void
}

export function workOn(runId: string, options: WorkOnOptions): Working {
  const { inbox, host, limits, abortSignal, start, onFault, lookMs, heardMs } = options
  const isQuiet = start?.isFirst === true
  let attempt: string | undefined
  const isElsewhere = async (): Promise<boolean> => (await inbox.take()).attempt !== attempt
  const segment = createSegment({ runId, journal: options.journal, limits, host, isElsewhere })
  const borrowing = borrowPages({ runId, inbox, host, withinMs: heardMs + (lookMs ?? 0) })
  let isOver = false
  const aborted = abortedBy(abortSignal, segment.close)
  const close = (): void => {
    segment.close()
    borrowing.close()
    isOver = true
  }
  const busy = createBusy()
  /** Something was asked before there was anybody to do it. */
  let isMissed = false
  let takeMore = async (): Promise<void> => {
    isMissed = true
  }

  const work = async (): Promise<Ended> => {
    if (!isQuiet) attempt = host.newId()
    const entered = attempt === undefined ? { open: [] } : await inbox.enter(attempt).catch(findNoRoom)
    if (!entered) return { end: 'crowded' }
    const commands = entered.open
    const given = { ...options, journal: segment.journal, host: segment.host, commands }
    const opened = await openRun(runId, given)
    if ('failure' in opened) return { end: 'rests', failure: opened.failure }
    if (!opened.run) return { end: 'rests' }
    const { run, isNew } = opened
    segment.attend(run)
    const news = createNews()
    const carryOut = commandsOf(run, { inbox, segment, borrowing, host, isNew })
    takeMore = async () => {
      const { open, attempt: last } = await inbox.take()
      // Whoever is not told that an attempt is over finds out here.
      if (last !== attempt && (await segment.isOutlived())) return
      if (open.length > 0) news.ring()
      busy.begin(carryOut(open))
    }
    busy.begin(carryOut(commands))
    if (isMissed) busy.begin(takeMore())
    const looking = lookMs === undefined ? undefined : lookAgain(lookMs)
    // It ends with the invocation, or with what that ends with.
    looking?.catch(() => {})
    const more = segment.ended.then((): Ended => ({ end: 'more' }))
    const lost = untilLost(run)
    for (;;) {
      const end = await Promise.race([more, lost, run.settled])
      if ('end' in end) return end
      const ended = await Promise.race([more, lost, busy.calm()])
      if (ended) return ended
      if (isFull(run)) await keepFull(run, options.journal)
      if (run.state.rest?.type === 'inputNeeded') await news.next(limits.lingerMs, { host })
      // What is asked from now on is done by another invocation.
      if (run.state.rest && !busy.isBusy) return { end: 'rests' }
    }
  }
  const findNoRoom = (error: unknown): undefined => {
    if (abortSignal.aborted || !isAgentError(error) || !error.retryable) throw error
    onFault?.(noRoom(runId, error))
  }
  const lookAgain = async (everyMs: number): Promise<void> => {
    for (;;) {
      await pause(everyMs, host)
      if (isOver) return
      await takeMore()
    }
  }
  const ended = Promise.race([work(), aborted])
    .catch((error: unknown): Ended => {
      if (!abortSignal.aborted) onFault?.(error)
      if (isAgentError(error) && error.code === 'agent_mismatch') return { end: 'later' }
      throw error
    })
    .finally(close)
  return { ended, close, isIdle: () => !busy.isBusy, hear: () => busy.begin(takeMore()) }
}

/**
 * Running runs may occupy all slots while they wait for their own requests. This error frees one before there is
 * anything to lose.
 */
const noRoom = (runId: string, cause: AgentError): AgentError =>
  new AgentError(
    'remote_failed',
    `The run ${runId} yields for a while, because Restate does not answer its requests. If this happens often, set worker.invoker.concurrent-invocations-limit to twice the number of running runs per partition. ${cause.message}`,
    { cause, retryable: true },
  )

/** Rejects when the attempt is over: another one may continue the run. */
function abortedBy(signal: AbortSignal, close: () => void): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      close()
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  aborted.catch(() => {})
  return aborted
}

/** Rejects when another owner has written to the log. The run then settles only here. */
function untilLost(run: Run): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    const look = (): void => {
      const { rest } = run.state
      if (rest?.type !== 'failed' || rest.error.code !== 'journal_conflict') return
      reject(new AgentError('journal_conflict', `Another owner took over the run ${run.id}.`))
    }
    run.subscribe(look)
    look()
  })
  lost.catch(() => {})
  return lost
}
