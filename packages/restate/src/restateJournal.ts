import { pause } from '@interleave/connect/internal'
import { AgentError, type Event, type Host, isAgentError, localHost } from '@interleave/core'
import {
  assertOption,
  checkList,
  checkOptions,
  checkRunId,
  conflict,
  decorateJournal,
  journalEngine,
  messageOf,
  staleOwner,
  wholeNumber,
} from '@interleave/core/internal'
import type { AppendOptions, Journal, ListOptions, RunSummary } from '@interleave/core/journal'
import { asAppendResult, asClaimResult, asCommandResult, asDone, asLogView, asPage, asSummary } from './answers.ts'
import { type Admin, createAdmin, quote, type Row } from './createAdmin.ts'
import { createIngress, type Ingress, type IngressOptions, isLate, untilDone } from './ingress.ts'
import type { LogView } from './logObject.ts'
import { type ServiceNames, serviceNames } from './sdk.ts'
import { checkSize, type SentCommand } from './sentCommand.ts'
import { readStuck } from './watchRestate.ts'

export interface RestateJournalOptions extends IngressOptions {
  /** The address of Restate's admin API. Needed for `list`, and for `delete` of child runs. */
  admin?: string
  /** The name of the `restateHost()`. */
  name?: string
  /** Milliseconds for which requests are repeated if Restate is unreachable; 30,000 by default. */
  retryForMs?: number
  host?: Host
}

/**
 * Creates the journal of runs on Restate, or of any other runs. Each log is a virtual object, which accepts one append
 * at a time: it rejects events that do not follow, or that come from a stale owner. `delete` stops a running run first.
 * `claim` rejects a run that executes on Restate, unless its host is not `bidirectional`: then it is taken over.
 */
export function restateJournal(given: RestateJournalOptions): Required<Journal> {
  checkOptions('restateJournal()', given, ['admin', 'name', 'retryForMs', 'host', 'ingress', 'headers', 'fetch'])
  const { name = 'interleave', retryForMs = 30_000, host = localHost, ...options } = given
  assertOption(
    options.ingress,
    'restateJournal({ ingress }) needs the address of Restate, such as "http://localhost:8080".',
  )
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, retryForMs })
  const admin = options.admin === undefined ? undefined : createAdmin({ ...options, admin: options.admin, host })
  return withoutWaiting(journalOn(ingress, { names, host, admin }), { ingress, names, host, admin })
}

export interface JournalOnOptions {
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId' | 'timer'>
  /** The admin API: to list runs, and to delete those that are stuck. */
  readonly admin?: Admin | undefined
}

export function journalOn(ingress: Ingress, { admin, names, host }: JournalOnOptions): Required<Journal> {
  const whenFree = untilDone(ingress)
  const log = (runId: string, handler: string) => ({ service: names.log, key: runId, handler })
  const summaries = (options: ListOptions): Promise<readonly RunSummary[]> => {
    if (admin === undefined)
      throw new AgentError('options_invalid', 'list() of Restate needs restateJournal({ admin }).')
    return readSummaries(options, { admin, service: names.log, host })
  }

  return {
    engine: journalEngine,
    identity: null,
    async append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): Promise<void> {
      checkRunId(runId)
      const [first] = events
      if (!first) return
      const input = { id: host.newId(), events, ...(epoch !== undefined && { epoch }) }
      checkSize(runId, events)
      const { length, refused } = await whenFree({ to: log(runId, 'append'), input, answer: asAppendResult })
      if (refused === 'length') throw conflict(runId, length, first.seq)
      if (refused === 'epoch') throw staleOwner(runId)
    },
    async read(runId: string, given = 0): Promise<readonly Event[]> {
      checkRunId(runId)
      const from = wholeNumber(given)
      const shown = await ingress({ to: log(runId, 'look'), input: from, answer: asLogView })
      const before = await readPages(shown, {
        from,
        host,
        get: (at) => ingress({ to: { service: names.pages, key: runId, handler: 'get' }, input: at, answer: asPage }),
      })
      return [...before, ...shown.tail].filter(({ seq }) => seq >= from)
    },
    async list(options?: ListOptions): Promise<readonly RunSummary[]> {
      return summaries(checkList(options))
    },
    async delete(runId: string): Promise<void> {
      checkRunId(runId)
      await whenFree({ to: log(runId, 'remove'), answer: asDone })
      // Listed only now: until the run is gone, it may begin another one.
      const below = admin === undefined ? [] : await summaries({ below: runId })
      for (const child of below) await whenFree({ to: log(child.runId, 'remove'), answer: asDone })
    },
    async claim(runId: string, length: number): Promise<number> {
      checkRunId(runId)
      const { epoch, length: now } = await whenFree({ to: log(runId, 'claim'), input: length, answer: asClaimResult })
      if (epoch === undefined) throw conflict(runId, now, length)
      return epoch
    },
  }
}

interface ReadPagesOptions {
  readonly from: number
  readonly host: Pick<Host, 'timer'>
  readonly get: (at: number) => Promise<readonly Event[] | null>
}

/** The maximum number of pages that are requested at once. */
const pagesAtOnce = 8

/** Reads the requested events of a log before its tail. */
async function readPages({ pages }: Pick<LogView, 'pages'>, options: ReadPagesOptions): Promise<readonly Event[]> {
  const { from } = options
  const wanted = pages.filter((_, index) => index + 1 === pages.length || (pages[index + 1] ?? 0) > from)
  const read: (readonly Event[])[] = []
  for (let first = 0; first < wanted.length; first += pagesAtOnce)
    read.push(...(await Promise.all(wanted.slice(first, first + pagesAtOnce).map((at) => readPage(at, options)))))
  return read.flat()
}

/** Reads a page. A page that was just closed may still be on its way between the objects. */
async function readPage(at: number, { get, host }: ReadPagesOptions): Promise<readonly Event[]> {
  for (let ms = 10; ms < 10_000; ms *= 2) {
    const page = await get(at)
    if (page) return page
    await pause(host, ms)
  }
  throw new AgentError('journal_failed', `The page of the log that begins with event ${at} is missing.`, {
    retryable: true,
  })
}

interface ReadSummariesOptions extends Pick<JournalOnOptions, 'host'> {
  readonly admin: Admin
  readonly service: string
}

/** Returns the list entries of runs from Restate's state. Restate filters them, because there may be very many. */
async function readSummaries(
  list: ListOptions,
  { service, host, admin }: ReadSummariesOptions,
): Promise<readonly RunSummary[]> {
  const limit = Math.trunc(list.limit ?? Number.POSITIVE_INFINITY)
  if (limit <= 0) return []
  const sql = `SELECT value_utf8 FROM state WHERE ${wanted(service, list).join(' AND ')}
    ORDER BY ${updatedAt} DESC, service_key DESC ${limit < 2 ** 31 ? `LIMIT ${limit}` : ''}`
  for (let ms = 50; ; ms *= 2) {
    try {
      return (await admin.query(sql)).map(toSummary)
    } catch (error) {
      // A part of the cluster may be moving.
      if (!isAgentError(error) || !error.retryable || ms > 5_000) throw error
    }
    await pause(host, ms)
  }
}

const updatedAt = `json_get_float(value_utf8, 'updatedAt')`

function wanted(service: string, { agent, below, before }: ListOptions): readonly string[] {
  const conditions = [`service_name = ${quote(service)}`, `key = 'summary'`]
  if (agent !== undefined) conditions.push(`json_get_str(value_utf8, 'agent') = ${quote(agent)}`)
  if (below !== undefined) conditions.push(`starts_with(service_key, ${quote(`${below}/`)})`)
  if (typeof before === 'number') conditions.push(`${updatedAt} < ${before}`)
  else if (before) {
    const time = `${updatedAt} = ${before.updatedAt} AND service_key < ${quote(before.runId)}`
    conditions.push(`(${updatedAt} < ${before.updatedAt} OR (${time}))`)
  }
  return conditions
}

function toSummary({ value_utf8: text }: Row): RunSummary {
  try {
    return asSummary(JSON.parse(String(text)))
  } catch (cause) {
    throw new AgentError('remote_failed', `The admin API of Restate lists an invalid run: ${messageOf(cause)}`, {
      cause,
    })
  }
}

interface EndStuckOptions {
  readonly admin: Admin
  readonly names: ServiceNames
}

/** The number of consecutive failures after which an invocation counts as stuck. */
const attempts = 3

/** Ends the invocations of a stuck run: paused, or retried in vain. Returns their number. */
async function endStuck(runId: string, { admin, names }: EndStuckOptions): Promise<number> {
  const stuck = await readStuck(admin, { services: Object.values(names), attempts, runId })
  // A deletion that is retried is none: it waits for a process, as while all of them restart.
  const ended = stuck.filter(({ alarm }) => alarm && !(alarm.type === 'retrying' && alarm.call.endsWith('/remove')))
  for (const { invocation } of ended) await admin.kill(invocation)
  return ended.length
}

interface WithoutWaitingOptions extends JournalOnOptions {
  readonly ingress: Ingress
}

/** Wraps a journal for other processes, which would wait until the segment of the run is over. */
function withoutWaiting(
  journal: Required<Journal>,
  { ingress, names, host, admin }: WithoutWaitingOptions,
): Required<Journal> {
  const look = (runId: string): Promise<LogView> =>
    ingress({ to: { service: names.log, key: runId, handler: 'look' }, input: 0, answer: asLogView })
  const stop = async (runId: string): Promise<void> => {
    const input: SentCommand = { id: host.newId(), command: { type: 'stop', reason: 'Deleted.' } }
    try {
      await ingress({
        to: { service: names.log, key: runId, handler: 'ask' },
        input,
        answer: asCommandResult,
        ms: stopMs,
      })
    } catch (error) {
      throw isLate(error) ? doesNotStop(runId, error) : error
    }
  }
  /** Ends all invocations: one that waits behind a stuck one may be stuck too, and the deletion waits behind it. */
  const endAll = async (runId: string, admin: Admin, deleted: Promise<void>): Promise<void> => {
    const isDone = deleted.then(() => true)
    while (!(await Promise.race([isDone, pause(host, 500)]))) await endStuck(runId, { admin, names })
  }
  return decorateJournal(journal, () => ({
    async claim(runId, length) {
      const { isHeld, summary } = await look(runId)
      // A settled run is released soon.
      if (isHeld && !summary.signal)
        throw new AgentError(
          'journal_conflict',
          `The run ${runId} is executing on Restate. Continue it with restateAgent(), or stop it first.`,
        )
      return journal.claim(runId, length)
    },
    async delete(runId) {
      const { isHeld } = await look(runId)
      const isStuck = isHeld && admin !== undefined && (await endStuck(runId, { admin, names })) > 0
      if (isHeld && !isStuck) await stop(runId)
      const deleted = Promise.resolve(journal.delete(runId))
      if (isStuck) await endAll(runId, admin, deleted)
      await deleted
    },
  }))
}

/** Milliseconds that a stopping run may take. */
const stopMs = 50_000

const doesNotStop = (runId: string, cause: unknown): AgentError =>
  new AgentError(
    'run_busy',
    `The run ${runId} does not stop. Check with watchRestate() if it is stuck: restateJournal({ admin }) then deletes it.`,
    { cause, retryable: true },
  )
