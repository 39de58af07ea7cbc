import type { Agent, Event, Run } from '@interleave/core'
import { type ForkEdit, fork, type Journal, type RunFile } from '@interleave/core/journal'
import { createEventLog, type EventLog } from './eventLog.ts'

/** How a run comes to work in this page: a new one by its first message, a kept one by its id, or one made of another. */
export type Way = Start | Resume | Fork

export interface Start {
  readonly type: 'start'
  readonly id: string
  readonly text: string
}
export interface Resume {
  readonly type: 'resume'
  readonly id: string
}
export interface Fork {
  readonly type: 'fork'
  readonly id: string
  /** The run that it is made of. */
  readonly of: RunFile | Run
  /** The last event that it has of that run, by default of all, and what it is to say instead. */
  readonly at?: number
  readonly edit?: ForkEdit
}

export interface Opened {
  readonly run: Run
  readonly log: EventLog
  /** What was there already when the run was gone on with. */
  readonly found: readonly Event[]
}

/** The one place where runs begin to work in this page, or to go on. */
export async function openRun(agent: Agent, way: Way, journal: Journal): Promise<Opened> {
  const log = createEventLog()
  const options = { journal, observers: [log.observer] }
  if (way.type === 'start') return { run: agent.start(way.text, { ...options, id: way.id }), log, found: [] }
  const run =
    way.type === 'resume' ? await agent.resume(way.id, options) : await fork(agent, way.of, { ...options, ...way })
  // Read after the run goes on, so that nothing is missing between.
  const found = log.precede(await journal.read(run.id))
  return { run, log, found: way.type === 'resume' ? found : [] }
}
