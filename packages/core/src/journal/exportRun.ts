import { checkLog } from '../checkLog.ts'
import { AgentError } from '../error.ts'
import { type Event, isKept } from '../event.ts'
import type { Journal } from '../journal.ts'
import type { Run } from '../run.ts'
import { type RunFile, runFile } from '../runFile.ts'
import { runsBelow } from './runsBelow.ts'

export interface ExportOptions {
  /** Where the runs below it are kept, and the thoughts of an agent that does not expose them. */
  readonly journal?: Journal
}

/** What is needed of a run object to export it. */
export type Exportable = Pick<Run, 'id' | 'state' | 'events'>

/** Whether it is a run object, and nothing else that a run may be taken from. */
export const isRun = (from: unknown): from is Exportable => typeof Object(from).events === 'function'

/**
 * A run with those below it, as one file of plain JSON: one of a journal, by its id, or one that is at hand, with what its journal
 * had no room for.
 *
 * It has all that the journal has, also the thoughts of an agent that does not expose them. Where the run object has more, or
 * there is no journal, such a run is without its thoughts, to look at and not to go on with; `run.state` has them.
 *
 * @example
 * download(JSON.stringify(await exportRun(run)))
 */
export async function exportRun(journal: Journal, runId: string): Promise<RunFile>
export async function exportRun(run: Exportable, options?: ExportOptions): Promise<RunFile>
export async function exportRun(from: Journal | Exportable, more: string | ExportOptions = {}): Promise<RunFile> {
  if (isRun(from)) return exportAtHand(from, Object(more))
  const [journal, runId] = [from, String(more)]
  const events = await journal.read(runId)
  if (events.length === 0) throw new AgentError('run_unknown', `The journal has no run "${runId}".`)
  return runFile(checkLog(events, { runId }), { below: await logsBelow(journal, runId) })
}

async function exportAtHand(run: Exportable, { journal }: ExportOptions): Promise<RunFile> {
  const { id: runId, state } = run
  const kept = (await journal?.read(runId)) ?? []
  const isKeptWhole = kept.length >= state.seq
  const events = isKeptWhole ? kept : await told(run)
  const hidden = !isKeptWhole && state.exposeReasoning === false
  return runFile(checkLog(events, { runId }), {
    ...(journal && { below: await logsBelow(journal, runId) }),
    ...(hidden && { thoughts: false }),
  })
}

/** The log so far. */
async function told(run: Exportable): Promise<readonly Event[]> {
  const { seq } = run.state
  const events: Event[] = []
  for await (const event of run.events()) {
    if (!isKept(event)) continue
    if (event.seq !== events.length) throw withoutPast(run.id)
    events.push(event)
    if (events.length >= seq) return events
  }
  throw withoutPast(run.id)
}

const withoutPast = (runId: string): AgentError =>
  new AgentError(
    'options_invalid',
    `The run "${runId}" was resumed from its state, so its log is not at hand. Keep run.state instead, or resume it by its id.`,
  )

async function logsBelow(journal: Journal, runId: string): Promise<(readonly Event[])[]> {
  const logs: (readonly Event[])[] = []
  for (const id of await runsBelow(journal, runId)) logs.push(checkLog(await journal.read(id), { runId: id }))
  return logs
}
