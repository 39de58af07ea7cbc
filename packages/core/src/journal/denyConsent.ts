import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { callsOf } from '../callsOf.ts'
import type { Event } from '../event.ts'

const reason = 'Not approved here.'
const denied: LanguageModelV4ToolResultOutput = { type: 'execution-denied', reason }

/**
 * Removes approvals of calls that a provider runs. The provider may receive them in every later turn, and would act on
 * those that are new to it. Those of the latest turn stay, because they are asked again.
 */
export function denyConsent(log: readonly Event[]): readonly Event[] {
  const unused = unusedApprovals(log)
  return log.map((event): Event => {
    if (event.type === 'observed' && unused.has(event.call)) return { ...event, result: denied }
    if (event.type === 'seeded' || event.type === 'compacted')
      return { ...event, messages: event.messages.map(withoutConsent) }
    return event
  })
}

/** The keys of calls that a provider asked to run, and gave no result of, in turns before the latest. */
function unusedApprovals(log: readonly Event[]): ReadonlySet<string> {
  const turns = log.flatMap((event) => (event.type === 'thought' ? [event] : []))
  const run = new Set(
    turns.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))),
  )
  const asked = turns
    .slice(0, -1)
    .flatMap((turn) => callsOf(turn, turn.iteration).filter(({ approvalId }) => approvalId !== undefined))
  return new Set(asked.filter(({ id }) => !run.has(id)).map(({ key }) => key))
}

function withoutConsent(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool' || !message.content.some(({ type }) => type === 'tool-approval-response')) return message
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === 'tool-approval-response' ? { ...part, approved: false, reason } : part,
    ),
  }
}
