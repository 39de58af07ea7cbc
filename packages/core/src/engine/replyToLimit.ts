import { AgentError } from '../error.ts'
import type { EventBody } from '../event.ts'
import { findAsk } from '../findAsk.ts'
import { toJson } from '../json.ts'
import { type Ask, extensionAdvice, readExtensionReply } from '../question.ts'
import type { RunState } from '../state.ts'

interface Replied {
  readonly state: RunState
  emit(event: EventBody): void
}

/** Records the reply to a limit of a run that has asked nothing else. Returns the question. */
export async function replyToLimit(log: Replied, id: string, value: unknown): Promise<Ask> {
  const asked = findAsk(log.state, id)
  const reply = readExtensionReply(value)
  if (!reply) throw new AgentError('reply_invalid', extensionAdvice)
  log.emit({ type: 'replied', ask: id, value: toJson(reply) })
  return asked
}
