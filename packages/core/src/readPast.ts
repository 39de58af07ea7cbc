import { checkKey } from './checkRunId.ts'
import { AgentError } from './error.ts'
import type { JournalStore, Past } from './journal.ts'
import { demand } from './options.ts'
import { readLog } from './readLog.ts'
import { fold } from './reduce.ts'
import { checkLog } from './validate.ts'

export async function readPast(
  runId: string,
  { journal }: { readonly journal?: JournalStore | undefined },
): Promise<Past> {
  checkKey(runId)
  demand(journal, 'To resume by id, name the journal: resume(id, { journal }).')
  const events = await readLog(journal, runId)
  if (Array.isArray(events) && events.length === 0)
    throw new AgentError('run_unknown', `The journal has no run "${runId}".`)
  const checked = checkLog(events, { runId })
  return { state: fold(checked), events: checked }
}
