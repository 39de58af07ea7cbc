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
import type { LiveHub } from './liveHub.ts'
import { openRun } from './openRun.ts'
import { tellKept } from './tellKept.ts'
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
  /** Hears what is kept. */
  readonly tell?: LiveHub['tell']
  /** Hears why it cannot work now. */
  readonly onFault?: (error: unknown) => void
  /** What begins it. In the first attempt to do so nothing was asked of it before. */
  readonly start?: StartCommand & { readonly isFirst: boolean }
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
  /** From now on nothing of it is written and no effect leaves. */
  close(): void
}

export function workOn(runId: string, options: WorkOnOptions): Working {
  const { inbox, host, limits, abortSignal, start, tell, onFault } = options
  const isQuiet = start?.isFirst === true
  let attempt: string | undefined
  const isElsewhere = async (): Promise<boolean> => (await inbox.take()).attempt !== attempt
  const segment = createSegment({ runId, journal: tellKept(options.journal, tell), limits, host, isElsewhere })
  const over = new AbortController()
  const aborted = abortedBy(abortSignal, segment.close)
  const close = (): void => {
    segment.close()
    over.abort()
  }
  let asked = 0

  const enter = async (): Promise<{ readonly open: readonly Open[]; readonly next: number }> => {
    if (isQuiet) return { open: [], next: 0 }
    attempt = host.newId()
    return inbox.enter(attempt)
  }
  const work = async (): Promise<Ended> => {
    const { open: commands, next } = await enter()
    const given = { ...options, journal: segment.journal, host: segment.host, commands }
    const opened = await openRun(runId, given)
    if ('failure' in opened) return { end: 'rests', failure: opened.failure }
    if (!opened.run) return { end: 'rests' }
    const { run, isNew } = opened
    segment.attend(run)
    const news = createNews()
    const carryOut = commandsOf(run, { inbox, segment, host, isNew })
    let doing: Promise<unknown> = Promise.resolve()
    const obey = (open: readonly Open[]): Promise<void> => {
      asked++
      const done = carryOut(open).finally(() => asked--)
      doing = Promise.allSettled([doing, done])
      return done
    }
    const hear = (open: readonly Open[]): void => {
      news.ring()
      // What fails is asked for again by the next attempt.
      obey(open).catch(() => {})
    }
    const listening = listen(inbox, { signal: over.signal, from: next, afterMs: isQuiet ? quietMs : 0, host, hear })
    // It ends with the invocation, whoever still listens to it then.
    listening.catch(() => {})
    const more = segment.ended.then((): Ended => ({ end: 'more' }))
    await Promise.race([obey(commands), more])
    for (;;) {
      const end = await Promise.race([more, run.settled, listening])
      if ('end' in end) return end
      if (isOutlived(run)) throw new AgentError('journal_conflict', `Somebody else goes on with the run ${runId}.`)
      if (run.state.rest?.type === 'inputNeeded') await news.next(limits.lingerMs, { host })
      // What is asked from now on is done by another invocation.
      if (run.state.rest && asked === 0) return { end: 'rests' }
      await Promise.race([more, doing])
    }
  }
  const ended = Promise.race([work(), aborted])
    .catch((error: unknown): Ended => {
      if (!abortSignal.aborted) onFault?.(error)
      if (isAgentError(error) && error.code === 'agent_mismatch') return { end: 'later' }
      throw error
    })
    .finally(close)
  return { ended, close, isIdle: () => asked === 0 }
}

/** Most of what is begun has come to its end before anybody asks more of it. */
const quietMs = 300

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

interface Listening {
  readonly signal: AbortSignal
  readonly from: number
  readonly afterMs: number
  readonly host: Pick<Host, 'timer'>
  hear(commands: readonly Open[]): void
}

/** Hears what is asked while the run works. Ends by an error, or never. */
async function listen(inbox: Inbox, { signal, from, afterMs, host, hear }: Listening): Promise<never> {
  if (afterMs > 0) await new Promise<void>((resolve) => void host.timer(afterMs, resolve))
  for (let known = from; ; ) {
    signal.throwIfAborted()
    await inbox.listen(known, signal)
    const { open, next } = await inbox.take()
    known = next
    hear(open)
  }
}

const isOutlived = ({ state: { rest } }: Run): boolean =>
  rest?.type === 'failed' && rest.error.code === 'journal_conflict'
