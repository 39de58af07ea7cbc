// Where a call is, and what its own events change. Questions, permissions and imports bring theirs: see `changes`.

import { AgentError } from './error.ts'
import type { Writable } from './json.ts'
import { type Call, type EventOf, openCall, type RunState } from './state.ts'

/** Returns true if the call has a claim that was not released: its function may have begun. */
export const isClaimed = ({ status }: Call): boolean =>
  status === 'started' || status === 'waiting' || status === 'interrupted'

/**
 * Returns true if the call may have done something that must not happen twice. One that waits has done nothing since its
 * claim, unless an effect runs meanwhile. False without a call: it is over. What follows is decided in `calls/repeat`.
 */
export const mayHaveRun = ({ status, effects }: Partial<Call> = {}): boolean =>
  status === 'started' || status === 'interrupted' || (status === 'waiting' && effects !== undefined)

/** Returns true if the call may act at any time: an effect runs, or it has a reply while other questions of it are open. */
export const mayAct = ({ effects, branches }: Call): boolean => effects !== undefined || branches === true

/** Returns true if a call that was claimed may be released: it does nothing now that must not happen twice. */
export const mayRelease = (call: Call): boolean => isClaimed(call) && !mayAct(call)

/** Returns true if the call must be claimed before its function runs. One that waits has its claim, and repeats nothing. */
export const mustClaim = (call: Call, resumes: boolean | undefined): boolean =>
  resumes ? !isClaimed(call) : call.status !== 'waiting'

/** Returns true if the call must be claimed again before its function gets a reply. */
export const mustClaimReply = (call: Call): boolean =>
  !isClaimed(call) || (call.status === 'waiting' && call.answered === true)

type Claimed = Pick<EventOf<'claimed'>, 'at' | 'input' | 'resumes'>

/** Claims a call: from now on it may have run. */
export function claimed(call: Call, { at, input, resumes }: Claimed): Call {
  const next: Writable<Call> = { ...call, status: 'started', claimedAt: at }
  if (resumes) next.resumes = resumes
  if (input !== undefined) {
    next.input = input
    next.proposed = call.proposed ?? call.input
  }
  return next
}

/** Applies the result of a call. */
export function observed(call: Call, { at, ms, result, output, error, final }: EventOf<'observed'>): Call {
  const next: Writable<Call> = { ...call, status: 'done', ms, result, observedAt: at }
  if (output !== undefined) next.output = output
  if (error !== undefined) next.error = error
  if (final !== undefined) next.final = final
  return next
}

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record
  const { [key]: _, ...others } = record
  return others
}

/** Returns the id of the permission that allowed the call, if no user was asked. */
export const permissionOf = ({ consent }: Call): string | undefined => Object(consent).permission

/** The key of the question for approval of a call. */
export const approvalKey = ({ key }: Pick<Call, 'key'>): string => `${key}/approval`

/** Removes the consent to a call that has not started, so that a user is asked. */
export function withoutConsent(call: Call): Call {
  const { consent: _, ...others } = call
  const notes = Object.entries(call.notes ?? {}).filter(([id]) => !id.startsWith(approvalKey(call)))
  const status = call.status === 'approved' ? 'proposed' : call.status
  return { ...others, status, notes: Object.fromEntries(notes) }
}

/** Creates the error for a function that continues after its call was abandoned: it cannot ask any more. */
export const callOver = (): AgentError =>
  new AgentError('stopped', 'This call is over: it was stopped, or its time was up.')

/** Throws for a call that is not open. */
export function checkOpen(state: RunState, call: string | undefined): void {
  if (call !== undefined && !openCall(state, call)) throw callOver()
}
