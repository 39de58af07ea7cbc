import {
  type Agent,
  AgentError,
  type Failure,
  type Host,
  isAgentError,
  type Observer,
  type Run,
} from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { StartCommand } from './asked.ts'
import { commandsOf } from './commandsOf.ts'
import type { Inbox } from './createInbox.ts'
import { createNews } from './createNews.ts'
import { createSegment, type SegmentLimits } from './createSegment.ts'
import type { Open } from './inboxObject.ts'
import { isFull, keepFull } from './keepFull.ts'
import { openRun } from './openRun.ts'
import type { Worked } from './workObject.ts'

export interface WorkOnOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly journal: Required<Journal>
  readonly inbox: Inbox
  readonly limits: SegmentLimits
  readonly host: Host
  /** The attempt is over: another one may go on with the run. */
  readonly abortSignal: AbortSignal
  readonly observers: readonly Observer[]
  /** Hears why it cannot work now. */
  readonly onFault?: (error: unknown) => void
  /** What begins it. In the first attempt to do so nothing was asked of it before. */
  readonly start?: StartCommand & { readonly isFirst: boolean }
  /** Milliseconds between two looks whether something was asked, where nobody says so by `hear()`. */
  readonly lookMs?: number
}

export interface Ended {
  readonly end: Worked
  /** Why it did not begin. */
  readonly failure?: Failure
}

/** A run that works here, until it rests and nothing is asked of it any more, or for a segment. */
export interface Working {
  readonly ended: Promise<Ended>
  /** Whether nothing that was asked of it is under way. */
  isIdle(): boolean
  /** Something was asked of it. */
  hear(): void
  /** From now on nothing of it is written and no effect leaves. */
  close(): void
}

export function workOn(runId: string, options: WorkOnOptions): Working {
  const { inbox, host, limits, abortSignal, start, onFault, lookMs } = options
  const isQuiet = start?.isFirst === true
  let attempt: string | undefined
  const isElsewhere = async (): Promise<boolean> => (await inbox.take()).attempt !== attempt
  const segment = createSegment({ runId, journal: options.journal, limits, host, isElsewhere })
  let isOver = false
  const aborted = abortedBy(abortSignal, segment.close)
  const close = (): void => {
    segment.close()
    isOver = true
  }
  let asked = 0
  let look = (): void => {
    isMissed = true
  }
  /** Something was asked before there was anybody to do it. */
  let isMissed = false

  const work = async (): Promise<Ended> => {
    if (!isQuiet) attempt = host.newId()
    const commands = attempt === undefined ? [] : (await inbox.enter(attempt)).open
    const given = { ...options, journal: segment.journal, host: segment.host, commands }
    const opened = await openRun(runId, given)
    if ('failure' in opened) return { end: 'rests', failure: opened.failure }
    if (!opened.run) return { end: 'rests' }
    const { run, isNew } = opened
    segment.attend(run)
    const news = createNews()
    const carryOut = commandsOf(run, { inbox, segment, host, isNew })
    let doing: Promise<unknown> = Promise.resolve()
    const obey = (coming: Promise<readonly Open[]>): Promise<void> => {
      asked++
      const done = coming.then(carryOut).finally(() => asked--)
      doing = Promise.allSettled([doing, done])
      return done
    }
    const takeMore = async (): Promise<readonly Open[]> => {
      const { open } = await inbox.take()
      if (open.length > 0) news.ring()
      return open
    }
    // What fails is done by the next attempt.
    look = () => void obey(takeMore()).catch(() => {})
    if (isMissed) look()
    if (lookMs !== undefined) void lookAgain()
    const more = segment.ended.then((): Ended => ({ end: 'more' }))
    // One that somebody else has begun meanwhile is never kept here, and settles with that.
    await Promise.race([obey(Promise.resolve(commands)), more, run.settled])
    for (;;) {
      const end = await Promise.race([more, run.settled])
      if ('end' in end) return end
      if (isOutlived(run)) throw new AgentError('journal_conflict', `Somebody else goes on with the run ${runId}.`)
      if (isFull(run)) await keepFull(run, options.journal)
      if (run.state.rest?.type === 'inputNeeded') await news.next(limits.lingerMs, { host })
      // What is asked from now on is done by another invocation.
      if (run.state.rest && asked === 0) return { end: 'rests' }
      await Promise.race([more, doing])
    }
  }
  const lookAgain = async (): Promise<void> => {
    for (;;) {
      await new Promise<void>((resolve) => void host.timer(lookMs ?? 0, resolve))
      if (isOver) return
      look()
    }
  }
  const ended = Promise.race([work(), aborted])
    .catch((error: unknown): Ended => {
      if (!abortSignal.aborted) onFault?.(error)
      if (isAgentError(error) && error.code === 'agent_mismatch') return { end: 'later' }
      throw error
    })
    .finally(close)
  return { ended, close, isIdle: () => asked === 0, hear: () => look() }
}

/** Another attempt may go on with the run: nothing of this one is to come any more. */
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

const isOutlived = ({ state: { rest } }: Run): boolean =>
  rest?.type === 'failed' && rest.error.code === 'journal_conflict'
