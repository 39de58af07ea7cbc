import { complaintAboutEvent } from './checkNext.ts'
import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import * as shapes from './eventShape.ts'
import { migrate, readFormat } from './format.ts'

export interface CheckLogOptions {
  /** The run that the log must belong to. */
  readonly runId?: string
}

/**
 * A log that comes from elsewhere, as this version reads it: whole from its first event, each event as it has to be, and
 * nothing in it that harms. Throws `log_invalid`, and says which event is wrong and where.
 */
export function checkLog(data: unknown, { runId }: CheckLogOptions = {}): readonly Event[] {
  const complain = (why: string): AgentError => {
    const whose = runId === undefined ? 'This log' : `The log of run "${runId}"`
    return new AgentError('log_invalid', `${whose} cannot be used: ${why}. Take it from a copy, or begin a new run.`)
  }
  if (!Array.isArray(data) || data.length === 0) throw complain('it has no events')
  const first: Partial<Event> = Object(data[0])
  if (first.seq !== 0 || first.type !== 'started') throw complain('it does not begin with the start of a run')
  if (runId !== undefined && first.runId !== runId) throw complain(`it is of run ${JSON.stringify(first.runId)}`)
  const format = readFormat(first.format)
  if (typeof format === 'string') throw complain(format)
  const wild = complaintAboutData(data)
  if (wild) throw complain(wild)
  const events = migrate(data, format)
  const complaintAbout = createReader()
  for (const [seq, event] of events.entries()) {
    const wrong = complaintAbout(event, seq)
    if (wrong) throw complain(`event ${seq} ${wrong}`)
  }
  return events as readonly Event[]
}

/** Looks at the events of one log after the other. What one may be depends on those before. */
function createReader(): (data: unknown, seq: number) => string | undefined {
  const extensions = new Set<string>()
  let iteration = 0
  return (data, seq) => {
    const wrong = complaintAboutEvent(data, seq)
    if (wrong) return wrong
    const event = data as Event
    if (event.type === 'started' && seq > 0) return 'is a second start'
    if (event.type === 'thought') iteration++
    if (event.iteration !== iteration) return `is of iteration ${event.iteration}, and ${iteration} is the one at hand`
    if (event.type === 'asked' && event.ask.kind === 'extension') extensions.add(event.ask.id)
    if (event.type === 'replied' && extensions.has(event.ask) && shapes.extensionReply(event.value) !== undefined)
      return 'has a "value" that does not fit its question'
    return undefined
  }
}
