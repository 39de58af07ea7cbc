import { checkLog } from '../checkLog.ts'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import type { Journal } from '../journal.ts'
import { type RunFile, runFile } from '../runFile.ts'

/**
 * A run of a journal, with those below it, as one file of plain JSON. It has all that the journal has, also the thoughts of an
 * agent that does not expose them.
 */
export async function exportRun(journal: Journal, runId: string): Promise<RunFile> {
  const events = await journal.read(runId)
  if (events.length === 0) throw new AgentError('run_unknown', `The journal has no run "${runId}".`)
  const below: (readonly Event[])[] = []
  for (const run of await journal.list({ limit: 1_000_000 })) {
    if (!run.runId.startsWith(`${runId}/`)) continue
    below.push(checkLog(await journal.read(run.runId), { runId: run.runId }))
  }
  return runFile(checkLog(events, { runId }), { below })
}
