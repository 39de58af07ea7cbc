import { checkOptions, checkStore, DEV } from '#checks'
import { AgentError, type Failure, messageOf, toFailure } from '../error.ts'
import type { Event } from '../event.ts'
import { localHost } from '../host.ts'
import {
  type JournalStore,
  type ListOptions,
  listedRuns,
  type RunSummary,
  readLog,
  toJournalError,
} from '../journal.ts'
import { type Json, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import { checkLog } from '../validate/validate.ts'
import { wrongMoves } from './callMoves.ts'
import { descendantsOf } from './exportRun.ts'
import { unknownRun } from './journalEngine.ts'
import { logsAt, type RunFile, runFile } from './runFile.ts'

export interface PruneOptions {
  /** Deletes runs whose last write is longer ago than this, in milliseconds. */
  olderThan?: number
  /** Deletes all but this number of newest runs. */
  keep?: number
  /** The current time in milliseconds since the epoch; by default that of the clock. */
  now?: number
}

/**
 * Deletes old runs with their child runs, and returns their ids. The age of a waiting run is that of its question. With
 * both options, a run is deleted if either applies. Throws if a run could not be deleted, after it has deleted the
 * others.
 *
 * @example
 * await prune(journal, { olderThan: 30 * 24 * 3_600_000, keep: 500 })
 */
export async function prune(journal: JournalStore, options: PruneOptions): Promise<readonly string[]> {
  checkOptions('prune()', options, ['olderThan', 'keep', 'now'])
  checkStore(journal, 'prune()')
  const { olderThan = Infinity, keep = Infinity, now = localHost.now() } = options
  const areNumbers = [olderThan, keep, now].every((value) => typeof value === 'number' && value >= 0)
  assertOption(areNumbers, DEV && 'The options of prune() must be numbers, 0 or more.')
  const isLimited = options.olderThan !== undefined || options.keep !== undefined
  assertOption(isLimited, DEV && 'prune() needs `olderThan`, `keep` or both.')
  assertOption(Number.isFinite(now), DEV && 'The `now` of prune() must be a time in milliseconds, such as Date.now().')
  const runs = await listedRuns(journal, { limit: 1_000_000 })
  const ids = new Set(runs.map(({ runId }) => runId))
  // A child run is deleted with its parent, and not counted.
  const own = runs.filter(({ parent }) => !parent || !ids.has(parent.runId))
  const old = own.filter(({ updatedAt }, index) => index >= keep || updatedAt < now - olderThan)
  return deleteAll(
    journal,
    old.map(({ runId }) => runId),
  )
}

/** The number of failed deletions after which the journal itself is to blame. */
const mostFailures = 10

/** Deletes runs, and returns their ids. One that cannot be deleted does not keep the others; then it throws. */
async function deleteAll(journal: JournalStore, runIds: readonly string[]): Promise<readonly string[]> {
  const failed: { readonly runId: string; readonly error: unknown }[] = []
  let deleted = 0
  for (const runId of runIds) {
    try {
      await journal.delete(runId)
      deleted++
    } catch (error) {
      if (failed.push({ runId, error }) === mostFailures) break
    }
  }
  const [first] = failed
  if (!first) return runIds
  const { code, retryable } = toJournalError(first.error)
  const counts = `prune() deleted ${deleted} of ${runIds.length} runs.`
  const why = `The run "${first.runId}" could not be deleted: ${messageOf(first.error)}`
  throw new AgentError(code, `${counts} ${why}`, { cause: first.error, retryable })
}

export interface InspectedRun extends RunSummary {
  /** The reason why `resume` rejects it; absent if it does not. */
  readonly damage?: Failure
  /**
   * The events that no sound run has, such as a second result of one call, in words; absent if there are none. Another
   * program wrote them, or two owners at once. The run can be continued all the same.
   */
  readonly unexpected?: readonly string[]
}

/**
 * Returns a page of the list, each run with the damage of its log and what is unexpected in it. Reads the logs, so it
 * takes longer than `list`.
 */
export async function inspectRuns(journal: JournalStore, options: ListOptions = {}): Promise<readonly InspectedRun[]> {
  checkStore(journal, 'inspectRuns()')
  const runs: InspectedRun[] = []
  for (const run of await listedRuns(journal, options)) {
    const { events, damage } = await inspect(journal, run.runId)
    const unexpected = damage ? [] : wrongMoves(events as readonly Event[])
    runs.push({ ...run, ...(damage && { damage }), ...(unexpected.length > 0 && { unexpected }) })
  }
  return runs
}

/** The recoverable parts of a run with a damaged log. */
export interface Recovered {
  /** The reason why the run cannot be resumed; absent if it can. */
  readonly damage?: Failure
  /** The run up to the last valid event, to `fork` or import. Absent if not even the first one is valid. */
  readonly file?: RunFile
  /** All stored data of it and of its child runs, by their ids, to attach to a report. */
  readonly asStored: Readonly<Record<string, readonly Json[]>>
}

/**
 * Recovers what a journal has of a run that `resume` and `exportRun` reject. Changes nothing: delete the run
 * afterwards.
 *
 * @example
 * const { file } = await recoverRun(journal, id)
 * if (file) await fork(guide, file, { journal })
 */
export async function recoverRun(journal: JournalStore, runId: string): Promise<Recovered> {
  checkStore(journal, 'recoverRun()')
  const { events, damage } = await inspect(journal, runId)
  if (events.length === 0 && damage?.code === 'log_invalid') throw unknownRun(runId)
  const valid = validPart(events, runId)
  const below: (readonly Event[])[] = []
  const asStored: [string, readonly Json[]][] = [[runId, events.map(stored)]]
  for (const id of await descendantsOf(journal, runId)) {
    const log = (await inspect(journal, id)).events
    asStored.push([id, log.map(stored)])
    const part = validPart(log, id)
    if (part.length > 0) below.push(part)
  }
  return {
    ...(damage && { damage }),
    // Child runs are cut at the time of the damage.
    ...(valid.length > 0 && { file: runFile(valid, { below: damage ? logsAt(valid, below) : below }) }),
    asStored: Object.fromEntries(asStored),
  }
}

function stored(event: unknown): Json {
  try {
    return toJson(event)
  } catch (error) {
    return `This cannot be written as JSON: ${(error as Error).message}`
  }
}

/** Reads the log of a run, and returns the reason if it cannot be resumed. */
async function inspect(
  journal: JournalStore,
  runId: string,
): Promise<{ events: readonly unknown[]; damage?: Failure }> {
  let events: readonly unknown[] = []
  try {
    events = await readLog(journal, runId)
    checkLog(events, { runId })
    return { events }
  } catch (error) {
    return { events, damage: toFailure(error, 'journal_failed') }
  }
}

/** Returns the longest part of a log, from its first event, that can be read. */
function validPart(events: readonly unknown[], runId: string): readonly Event[] {
  let [valid, wrong]: [readonly Event[], number] = [[], events.length + 1]
  while (wrong - valid.length > 1) {
    const length = Math.floor((valid.length + wrong) / 2)
    try {
      valid = checkLog(events.slice(0, length), { runId })
    } catch {
      wrong = length
    }
  }
  return valid
}
