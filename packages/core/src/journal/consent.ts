// An approval counts for the run in which a user gave it, and not for a copy of its log.

import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { approvalKey, isClaimed } from '../call.ts'
import { fold } from '../changes/all.ts'
import type { Event } from '../event.ts'
import { permissionBy } from '../permission.ts'
import type { ApprovalReply, Ask } from '../question.ts'
import { type Call, callsOf, latestTurn } from '../state.ts'
import { runIdOf } from './runFile.ts'

const reason = 'Not approved here.'
const denied: LanguageModelV4ToolResultOutput = { type: 'execution-denied', reason }

/** Removes approvals of calls that a provider runs: it would act on them again. Those of the latest turn stay. */
export function denyConsent(log: readonly Event[]): readonly Event[] {
  const unused = unusedApprovals(log)
  return log.map((event): Event => {
    if (event.type === 'observed' && unused.has(event.call)) return { ...event, result: denied }
    if (event.type === 'seeded' || event.type === 'compacted')
      return { ...event, messages: event.messages.map(withDenials) }
    return event
  })
}

/** Returns the keys of calls that a provider asked to run and reported no result for, in turns before the latest. */
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

function withDenials(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool' || !message.content.some(({ type }) => type === 'tool-approval-response')) return message
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === 'tool-approval-response' ? { ...part, approved: false, reason } : part,
    ),
  }
}

/**
 * Withdraws the approvals of calls that have not begun, in the log of a run and in those of its child runs: a reply is
 * for the run that it was given to, which acts on it. So the copy asks again. A reply that allows later calls, too, stays.
 */
export function withdrawConsent(logs: readonly (readonly Event[])[]): readonly (readonly Event[])[] {
  const calls = new Map(logs.map((log) => [runIdOf(log), latestTurn(fold(log))?.calls ?? []]))
  return logs.map((log) => withdrawIn(log, calls))
}

/** The calls of the latest turn of each run, by the id of the run. */
type LatestCalls = ReadonlyMap<string, readonly Call[]>

function withdrawIn(log: readonly Event[], calls: LatestCalls): readonly Event[] {
  const own = calls.get(runIdOf(log)) ?? []
  const asks = new Map<string, Ask>()
  /** The withdrawn approvals of this run's own calls, by the call. */
  const withdrawn = new Map<string | undefined, Ask>()
  return log.map((event): Event => {
    switch (event.type) {
      case 'asked':
        asks.set(event.ask.id, event.ask)
        return event
      case 'replied': {
        const ask = asks.get(event.ask)
        if (!ask || !isConsent(ask, event) || !isOpen(ask, own, calls)) return event
        if (!ask.from) withdrawn.set(ask.call, ask)
        return withdrawal(event, ask)
      }
      case 'observed': {
        // The reply to a provider is the result of its call.
        const ask = withdrawn.get(event.call)
        return ask ? withdrawal(event, ask) : event
      }
      default:
        return event
    }
  })
}

const withdrawal = ({ seq, at, iteration }: Event, { id }: Ask): Event => ({
  type: 'withdrawn',
  seq,
  at,
  iteration,
  ask: id,
})

/** Returns true if the approved call has not begun. `own` are the calls of the run that shows the question. */
function isOpen(ask: Ask, own: readonly Call[], calls: LatestCalls): boolean {
  const asking = ask.from ? calls.get(ask.from.runId) : own
  const name = ask.id.slice(ask.id.lastIndexOf('>') + 1)
  if (asking) return asking.some((call) => name.startsWith(approvalKey(call)) && !hasActed(call))
  // The log of the child run is not here. It has acted once the call that began it has a result.
  return ask.call === undefined || own.some(({ key, result }) => key === ask.call && !result)
}

/** Returns true if the reply may have had an effect. A provider receives it with the next turn. */
const hasActed = (call: Call): boolean => (call.result ? call.approvalId === undefined : isClaimed(call))

/** Returns true for an approval of this call alone. */
function isConsent(ask: Ask, { value, at }: Extract<Event, { readonly type: 'replied' }>): boolean {
  const { approved } = Object(value) as Partial<ApprovalReply>
  return ask.kind === 'approval' && approved === true && !permissionBy({ ask, value, at })
}
