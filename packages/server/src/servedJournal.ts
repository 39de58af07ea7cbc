import { elapsedMs } from '@interleave/connect/internal'
import { AgentError, type Host, isAgentError } from '@interleave/core'
import { decorateJournal, messageOf, quietly, reportRejection, toJournalError } from '@interleave/core/internal'
import type { Journal, TimedJournal } from '@interleave/core/journal'
import { redact } from '@interleave/core/observe'
import type { FailureOptions } from './failures.ts'
import { converting } from './problem.ts'

/** Milliseconds that a call of the journal may take. A connection that a firewall has forgotten never answers. */
const callMs = 15_000
/** Milliseconds between two lines about it in the server's log: all runs meet the same trouble. */
const lineMs = 10_000

type ServingHost = Pick<Host, 'now' | 'timer'>

/**
 * Wraps a journal as the runs of a server use it: each call ends within a limit, and the server's log says why writes
 * fail, since they are tried again for minutes before a run fails.
 */
export function servedJournal<J extends Journal>(
  journal: J,
  host: ServingHost,
  log: NonNullable<FailureOptions['log']> = console.error,
): J {
  let saidAt = Number.NEGATIVE_INFINITY
  const say = (error: unknown): void => {
    // A conflict is another owner's success.
    if (isAgentError(error) && error.code === 'journal_conflict') return
    if (elapsedMs(saidAt, host.now()) < lineMs) return
    saidAt = host.now()
    const line = redact(`A write to the journal failed: ${messageOf(error)}`).value
    quietly(() => reportRejection(log(line)))
  }
  const written = async <T>(work: PromiseLike<T>): Promise<T> =>
    converting(
      () => limited(work, host),
      (error) => {
        say(error)
        return error
      },
    )
  const timed: Journal & Partial<TimedJournal> = journal
  return decorateJournal(journal, (inner) => ({
    append: (...write) => whenAsync(inner.append(...write), written),
    claim: (...claim) => whenAsync(inner.claim(...claim), written),
    read: (...from) => whenAsync(inner.read(...from), (work) => limited(work, host)),
    list: (...options) => whenAsync(inner.list(...options), (work) => limited(work, host)),
    delete: (id) => whenAsync(inner.delete(id), (work) => limited(work, host)),
    ...(timed.idleMs && {
      idleMs: (id) => converting(async () => limited(Promise.resolve(timed.idleMs?.(id)), host), ofRead),
    }),
  }))
}

/** Wraps a journal so that its failures become retryable errors with a code of the journal, for responses. */
export function withJournalErrors(journal: Journal): Journal {
  return decorateJournal(journal, (inner) => ({
    read: (...args) => converting(() => inner.read(...args), ofRead),
    list: (...args) => converting(() => inner.list(...args), ofRead),
    delete: (...args) =>
      converting(
        () => inner.delete(...args),
        (error) => toJournalError(error),
      ),
  }))
}

const ofRead = (error: unknown): unknown => toJournalError(error, 'read')

/** A journal that answers synchronously stays one. */
const whenAsync = <T>(done: T | PromiseLike<T>, wrap: (work: PromiseLike<T>) => Promise<T>): T | PromiseLike<T> =>
  isThenable(done) ? wrap(done) : done

const isThenable = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> => 'then' in Object(value)

/** Rejects if the work takes too long. What it writes later is recognized by the run's writer. */
function limited<T>(work: PromiseLike<T>, host: Pick<Host, 'timer'>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = host.timer(callMs, () => reject(unanswered()), { background: true })
    const done =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        cancel()
        settle(value)
      }
    work.then(done(resolve), done(reject))
  })
}

const unanswered = (): AgentError =>
  new AgentError(
    'journal_failed',
    `The journal has not answered for ${callMs / 1_000} seconds. Is its connection still alive? Set time limits and keep-alive for its pool, as "Store runs" of the guide on serving does.`,
    { retryable: true },
  )
