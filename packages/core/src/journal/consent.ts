// What a user approved in a run counts for that run: not for a copy of its log.

import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { allowedBy } from '../allowed.ts'
import { approvalKey, isBegun } from '../call.ts'
import type { Event } from '../event.ts'
import type { ApprovalReply, Ask } from '../question.ts'
import { fold } from '../reduce.ts'
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
      return { ...event, messages: event.messages.map(withoutConsent) }
    return event
  })
}

/** Returns the keys of calls that a provider asked to run, and gave no result of, in turns before the latest. */
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

/**
 * Withdraws the approvals of calls that have not begun, in the log of a run and in those of its child runs: a reply is
 * for the run that it was given to, which acts on it. So the copy asks again. A reply that allows later calls, too, stays.
 */
export function withdrawConsent(logs: readonly (readonly Event[])[]): readonly (readonly Event[])[] {
  const calls = new Map(logs.map((log) => [runIdOf(log), latestCalls(log)]))
  return logs.map((log) => withdrawIn(log, (runId = runIdOf(log)) => calls.get(runId)))
}

const latestCalls = (log: readonly Event[]): readonly Call[] => latestTurn(fold(log))?.calls ?? []

/** `callsOf` returns the calls of a child run, or of this run; undefined if its log is not here. */
function withdrawIn(log: readonly Event[], callsOf: (runId?: string) => readonly Call[] | undefined): readonly Event[] {
  const withdrawn = new Map<string, Ask>()
  const asks = new Map<string, Ask>()
  const isWaiting = (ask: Ask): boolean => {
    const calls = callsOf(ask.from?.runId)
    const name = ask.id.slice(ask.id.lastIndexOf('>') + 1)
    if (calls) return calls.some((call) => name.startsWith(approvalKey(call)) && !hasActed(call))
    return ask.call === undefined || callsOf()?.some(({ key, result }) => key === ask.call && !result) === true
  }
  return log.map((event): Event => {
    const { seq, at, iteration } = event
    if (event.type === 'asked') asks.set(event.ask.id, event.ask)
    const ask = event.type === 'replied' ? asks.get(event.ask) : undefined
    if (event.type === 'replied' && ask && isConsent(ask, event) && isWaiting(ask)) {
      withdrawn.set(ask.call ?? ask.id, ask)
      return { type: 'withdrawn', seq, at, iteration, ask: ask.id }
    }
    const before = event.type === 'observed' ? withdrawn.get(event.call) : undefined
    return before && !before.from ? { type: 'withdrawn', seq, at, iteration, ask: before.id } : event
  })
}

/** Returns true if the reply may have had an effect. A provider receives it with the next turn. */
const hasActed = (call: Call): boolean => (call.result ? call.approvalId === undefined : isBegun(call))

/** Returns true for an approval of this call alone. */
function isConsent(ask: Ask, { value, at }: Extract<Event, { readonly type: 'replied' }>): boolean {
  const { approved } = Object(value) as Partial<ApprovalReply>
  return ask.kind === 'approval' && approved === true && !allowedBy({ ask, value, at })
}
