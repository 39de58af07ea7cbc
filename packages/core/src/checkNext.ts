import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import * as shapes from './eventShape.ts'
import { count, type Shape, shapeOf, time } from './shape.ts'

const stamp: Shape = shapeOf({ seq: count, at: time, iteration: count })

/** Returns what is wrong with the event of this `seq`, without looking at earlier events. */
export function complaintAboutEvent(data: unknown, seq: number): string | undefined {
  const wrong = stamp(data) ?? shapes.event(data)
  if (wrong !== undefined) return wrong ? `has a wrong or missing "${wrong}"` : 'is not an event'
  const { seq: is } = data as Event
  return is === seq ? undefined : `has the seq ${is}: one is missing, or they are out of order`
}

/**
 * Validates foreign events that follow a log of this length. Throws `log_invalid` for invalid events and for those that
 * do not follow.
 */
export function checkNext(data: unknown, length: number): readonly Event[] {
  const complain = (why: string): AgentError =>
    new AgentError('log_invalid', `Events that follow a log of ${length} events are invalid: ${why}.`)
  if (!Array.isArray(data)) throw complain('it is not a list')
  const wild = complaintAboutData(data)
  if (wild) throw complain(wild)
  for (const [index, event] of data.entries()) {
    const wrong = complaintAboutEvent(event, length + index)
    if (wrong) throw complain(`event ${length + index} ${wrong}`)
  }
  return data
}
