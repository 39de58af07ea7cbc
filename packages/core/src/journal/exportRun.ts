import { checkOptions, checkStore, DEV } from '#checks'
import { AgentError, messageOf } from '../error.ts'
import type { Event } from '../event.ts'
import { type JournalStore, listedRuns, readLog } from '../journal.ts'
import { copyJson } from '../json.ts'
import { isRun, type OpenRun } from '../log/openRun.ts'
import { checkKey } from '../options.ts'
import { type RedactOptions, redact } from '../redact/redact.ts'
import type { Run } from '../run.ts'
import { usageOf } from '../state.ts'
import { checkLog } from '../validate/validate.ts'
import { readPast } from './journalEngine.ts'
import { type RunFile, runFile } from './runFile.ts'

export interface ExportOptions {
  /** The journal of its child runs; by default the one that the run writes to. */
  readonly journal?: JournalStore
  /** Omits the secrets that it recognizes by their shape, name or schema. */
  readonly redact?: true | RedactOptions
}

/**
 * Returns a run with its child runs as one file of plain JSON: a run of a journal, by its id, or a run object, with the
 * events that its journal had no room for. The file has the agent's thoughts, even if `exposeReasoning` is false.
 *
 * @example
 * download(JSON.stringify(await exportRun(run)))
 */
export async function exportRun(
  journal: JournalStore,
  runId: string,
  options?: Pick<ExportOptions, 'redact'>,
): Promise<RunFile>
export async function exportRun(run: Run, options?: ExportOptions): Promise<RunFile>
export async function exportRun(
  from: JournalStore | Run,
  more?: string | ExportOptions,
  options: Pick<ExportOptions, 'redact'> = {},
): Promise<RunFile> {
  const given = isRun(from) ? ((more ?? {}) as ExportOptions) : options
  checkOptions('exportRun()', given, ['journal', 'redact'])
  const file = isRun(from) ? await exportRunObject(from, given) : await exportStored(from, more)
  return given.redact ? redact(file, given.redact === true ? {} : given.redact).value : file
}

async function exportStored(journal: JournalStore, runId: unknown): Promise<RunFile> {
  checkStore(journal, 'exportRun()')
  checkKey(runId)
  const { events } = await readPast(runId, { journal })
  return runFile(events, { below: await descendantLogs(journal, runId) })
}

async function exportRunObject(run: Run, { journal }: ExportOptions): Promise<RunFile> {
  // Copied, since the run shares these events.
  const events = copyJson(run.log)
  if (events[0]?.seq !== 0) throw withoutPast(run)
  const below = journal ? await descendantLogs(journal, run.id) : await ownDescendantLogs(run)
  return runFile(checkLog(events, { runId: run.id }), below && { below })
}

/** Returns the logs of the child runs from the run's own journal. Does not read it for a run without children. */
async function ownDescendantLogs({ id, journal, log }: OpenRun): Promise<(readonly Event[])[] | undefined> {
  if (!journal || !log.some(beginsChild)) return undefined
  try {
    return await descendantLogs(journal, id)
  } catch (error) {
    const advice = 'Export the run again once its journal can be read.'
    const { cause = error } = error as Error
    const why = `The logs of the child runs of "${id}" could not be read: ${messageOf(cause)}`
    throw new AgentError('journal_failed', `${why} ${advice}`, { cause: error, retryable: true })
  }
}

/** Returns true if a child run may start after this event. */
const beginsChild = (event: Event): boolean =>
  event.type === 'claimed' ? event.resumes === true : event.type === 'noted' && event.key.endsWith(usageOf(''))

function withoutPast({ id, state }: Run): AgentError {
  const why =
    state.seq === 0
      ? 'has no event yet: the host that executes it has not sent one. Export it later, such as after `await run.settled`.'
      : 'only shows a state, which has no log. Export the run itself.'
  return new AgentError('options_invalid', DEV && `The run "${id}" ${why}`)
}

async function descendantLogs(journal: JournalStore, runId: string): Promise<(readonly Event[])[]> {
  const logs: (readonly Event[])[] = []
  for (const id of await descendantsOf(journal, runId)) logs.push(checkLog(await readLog(journal, id), { runId: id }))
  return logs
}

/** Returns the ids of all descendants of a run. Filters again, in case a journal ignores `below`. */
export async function descendantsOf(journal: JournalStore, runId: string): Promise<readonly string[]> {
  const runs = await listedRuns(journal, { below: runId, limit: Number.MAX_SAFE_INTEGER })
  return runs.map((run) => run.runId).filter((id) => id.startsWith(`${runId}/`))
}
