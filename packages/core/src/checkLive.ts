import { complaintAboutData } from './complaintAboutData.ts'
import { AgentError } from './error.ts'
import type { LiveEvent } from './event.ts'
import { liveEvent } from './liveShape.ts'
import { listOf } from './shape.ts'

/** Live events from elsewhere. Throws `request_invalid` for what is none. */
export function checkLive(data: unknown): readonly LiveEvent[] {
  const wrong = liveEvents(data)
  const complaint = wrong === undefined ? complaintAboutData(data) : `it has a wrong or missing "${wrong}"`
  if (complaint) throw new AgentError('request_invalid', `This is not a list of live events: ${complaint}.`)
  return data as readonly LiveEvent[]
}

const liveEvents = listOf(liveEvent)
