// The changes that events make to a call.

import { AgentError } from './error.ts'
import type { Event } from './event.ts'
import type { Json, Writable } from './json.ts'
import type { Ask } from './question.ts'
import { addMember, copyOf, hasMember } from './record.ts'
import { type Call, interruptionOf, notStartedOf, openCall, type RunState } from './state.ts'

type Begun = Pick<Extract<Event, { readonly type: 'called' }>, 'at' | 'input' | 'resumes'>

/** Starts a call. `acts`: it has answers while other questions of it are open, so it may act on them at any time. */
export function begun(call: Call, { at, input, resumes }: Begun, acts: boolean): Call {
  const { answered, idle, acts: acted } = call
  const next: Writable<Call> = { ...(answered || idle || acted ? unmarked(call) : call), calledAt: at }
  // Permission to run again is for this attempt: another interruption is asked about again.
  if (call.notes) next.notes = Object.fromEntries(Object.entries(call.notes).filter(([id]) => !isOfAttempt(call, id)))
  if (acts) next.acts = acts
  if (resumes) next.resumes = resumes
  if (input !== undefined) {
    next.input = input
    next.proposed = call.proposed ?? call.input
  }
  return next
}

const unmarked = ({ answered: _, idle: __, acts: ___, ...call }: Call): Call => call

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record
  const { [key]: _, ...others } = record
  return others
}

/** Returns true for notes about one attempt of a call. */
const isOfAttempt = ({ key }: Call, id: string): boolean =>
  isInterruptionOf(key, id) || id === notStartedOf(key) || id.startsWith(doingOf(key))

/** Returns true for the question about an interrupted call. One in other words has another id. */
const isInterruptionOf = (key: string, id: string): boolean => id.startsWith(interruptionOf(key))

/** Returns what a user decided about the interrupted call: it counts for the attempt that follows. */
export const decisionOn = ({ key, notes = {} }: Call): Json | undefined =>
  Object.entries(notes).findLast(([id]) => isInterruptionOf(key, id))?.[1]

/**
 * Returns the key prefix of the notes about `once` functions that a call runs while it waits. One without a noted
 * result may already have run.
 */
export const doingOf = (call: string): string => `${call}/doing/`

/** Returns true if a `once` function of the call may already have run while the call waited. */
export function isDoing({ key, notes = {} }: Call): boolean {
  const prefix = doingOf(key)
  return Object.keys(notes).some((id) => {
    return id.startsWith(prefix) && !Object.hasOwn(notes, `${key}/once/${id.slice(prefix.length)}`)
  })
}

/**
 * Marks a call as waiting. Its tool runs from the top after a reload, so it may repeat what it did before. An
 * interrupted call is not marked: it may have worked although it waited, so the user is asked.
 */
export function waiting(call: Call, asked: Ask): Call {
  const next = copyOf(call)
  addMember(next, 'questions', [asked.id, asked])
  const isIdle = call.calledAt !== undefined && !call.acts && isQuestionOf(call, asked)
  const staysIdle = call.idle && !isInterruptionOf(call.key, asked.id)
  delete next.idle
  if (isIdle || staysIdle) next.idle = true
  return next
}

/** Applies that a question is withdrawn. A tool whose own question it is may work on. */
export function withdrawn(call: Call, asked: Ask): Call {
  if (!isQuestionOf(call, asked)) return call
  const { idle: _, ...working } = call
  return working
}

/** Returns true if the question comes from inside the tool's function. */
const isQuestionOf = ({ key }: Pick<Call, 'key'>, { id }: Ask): boolean =>
  id.startsWith(key) && /^\/ask\/\d/.test(id.slice(key.length))

/** Returns true if the call's tool waits for a reply. */
export const isAsking = ({ asks }: Pick<RunState, 'asks'>, call: Pick<Call, 'key'>): boolean =>
  asks.some((open) => isQuestionOf(call, open))

/** Returns true if the call may have run. */
export const isBegun = (call: Call): boolean =>
  call.calledAt !== undefined && !hasMember(call, 'notes', notStartedOf(call.key))

/** The key of the question for approval of a call. */
export const approvalKey = ({ key }: Pick<Call, 'key'>): string => `${key}/approval`

/** Returns true if the call has the reply to its question for approval. */
export const isApproved = (call: Call): boolean =>
  Object.keys(call.notes ?? {}).some((id) => id.startsWith(approvalKey(call)))

/** Removes the reply to the question for approval, so that it is asked again. */
export function unapproved({ allowed: _, ...call }: Call): Call {
  const notes = Object.entries(call.notes ?? {}).filter(([id]) => !id.startsWith(approvalKey(call)))
  return { ...call, notes: Object.fromEntries(notes) }
}

type Observed = Extract<Event, { readonly type: 'observed' }>

/** Applies the result of a call. */
export function observed(call: Call, { at, ms, result, output, error, final }: Observed): Call {
  const { questions, idle, acts } = call
  const next: Writable<Call> = { ...(questions || idle || acts ? ended(call) : call), ms, result, observedAt: at }
  if (output !== undefined) next.output = output
  if (error !== undefined) next.error = error
  if (final !== undefined) next.final = final
  return next
}

const ended = ({ questions: _, idle: __, acts: ___, ...call }: Call): Call => call

interface Answer {
  readonly id: string
  readonly value: Json
  /** The tool has received the reply. Until then it has done nothing with it. */
  readonly taken: boolean
  /** The tool receives the reply when it asks again. */
  readonly waits: boolean
  /** The tool has received the reply, and waits for others. */
  readonly acts: boolean
}

/** Applies a reply. A tool that has not received it yet waits as before. */
export function answered(call: Call, { id, value, taken, waits, acts }: Answer): Call {
  const { answered: was, idle } = call
  const next = copyOf(call)
  addMember(next, 'notes', [id, value])
  const isAnswered = waits ? call.calledAt !== undefined : !taken && idle && was
  delete next.idle
  delete next.answered
  if (!taken && idle) next.idle = idle
  if (isAnswered) next.answered = true
  if (acts) next.acts = acts
  return next
}

/** Removes the consent of a call that a provider runs: it has not run until the provider receives the consent. */
export function withoutConsent(call: Call): Call {
  const { key, id, name, proposed, input, approvalId, invalid, calledAt, resumes, result } = call
  if (result && approvalId === undefined) return call
  return {
    key,
    id,
    name,
    input: proposed ?? input,
    ...(approvalId !== undefined && { approvalId }),
    ...(invalid !== undefined && { invalid }),
    ...(calledAt !== undefined && { calledAt }),
    ...(resumes && { resumes }),
  }
}

/** Creates the error for a function that continues after its call was abandoned: it cannot ask any more. */
export const callOver = (): AgentError =>
  new AgentError('stopped', 'This call is over: it was stopped, or its time was up.')

/** Throws for a call that is not open. */
export function checkOpen(state: RunState, call: string | undefined): void {
  if (call !== undefined && !openCall(state, call)) throw callOver()
}
