import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import * as shapes from './eventShape.ts'
import { count, type Shape, shapeOf, time } from './shape.ts'

export const stamp: Shape = shapeOf({ seq: count, at: time, iteration: count })

/** Events from elsewhere that go on with a log of this length. Throws `log_invalid` for what is none, or does not follow. */
export function checkNext(data: unknown, length: number): readonly Event[] {
  const complain = (why: string): AgentError =>
    new AgentError('log_invalid', `What goes on with a log of ${length} events cannot be used: ${why}.`)
  if (!Array.isArray(data)) throw complain('it is no list')
  const wild = complaintAboutData(data)
  if (wild) throw complain(wild)
  for (const [index, event] of data.entries()) {
    const wrong = stamp(event) ?? shapes.event(event)
    if (wrong !== undefined) throw complain(`event ${length + index} has a wrong "${wrong}"`)
    if (event.seq !== length + index) throw complain(`event ${length + index} has the seq ${event.seq}`)
  }
  return data
}
