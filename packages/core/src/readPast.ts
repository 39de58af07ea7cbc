import { checkKey } from './checkRunId.ts'
import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import { demand } from './options.ts'
import { readLog } from './readLog.ts'
import { fold } from './reduce.ts'
import type { ResumeOptions } from './run.ts'
import type { RunState } from './state.ts'
import { checkLog } from './validate.ts'

/** The part of a run that a journal has. */
export interface Past {
  readonly state: RunState
  readonly events: readonly Event[]
}

export async function readPast(runId: string, { journal }: ResumeOptions): Promise<Past> {
  checkKey(runId)
  demand(journal, 'To resume by id, name the journal: resume(id, { journal }).')
  const events = await readLog(journal, runId)
  if (Array.isArray(events) && events.length === 0)
    throw new AgentError('run_unknown', `The journal has no run "${runId}".`)
  const checked = checkLog(events, { runId })
  return { state: fold(checked), events: checked }
}
