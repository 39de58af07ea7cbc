import { AgentError, messageOf } from '../error.ts'
import type { RunContext } from '../run.ts'
import type { RunState } from '../state.ts'
import { orStopped } from './orStopped.ts'

/** The result of checking a message, a call or an answer. */
export type Verdict<T> = Allowed | Rewritten<T> | Blocked
export interface Allowed {
  readonly type: 'allow'
}
export interface Rewritten<T> {
  readonly type: 'rewrite'
  /** The replacement. */
  readonly value: T
  readonly reason: string
}
export interface Blocked {
  readonly type: 'block'
  readonly reason: string
}

/**
 * Checks something before it counts, and may replace it with an `Else`. A check that throws, or returns no verdict,
 * lets nothing through.
 */
export type Check<T, Else = T> = (value: T, state: RunState) => Verdict<Else> | PromiseLike<Verdict<Else>>

export const allow: Allowed = Object.freeze({ type: 'allow' })

export const rewrite = <T>(value: T, reason = 'Rewritten.'): Rewritten<T> => ({ type: 'rewrite', value, reason })

export const block = (reason: string): Blocked => ({ type: 'block', reason })

/** Returns a check's verdict, or the error of the check. */
export async function verdictOf<T, Else>(run: RunContext, check: Check<T, Else>, value: T): Promise<Verdict<Else>> {
  let verdict: Partial<Verdict<Else>> | undefined
  try {
    verdict = await orStopped(check(value, run.state), run.abortSignal)
  } catch (error) {
    if (run.abortSignal.aborted) throw error
    throw new AgentError('guard_failed', `A check threw, so nothing passes it: ${messageOf(error)}`, { cause: error })
  }
  if (isVerdict<Else>(verdict)) return verdict
  throw new AgentError('guard_failed', 'A check gave no verdict. Return allow, rewrite(value) or block(reason).')
}

function isVerdict<T>(given: Partial<Verdict<T>> | undefined): given is Verdict<T> {
  if (given?.type === 'rewrite') return given.value !== undefined
  return given?.type === 'allow' || given?.type === 'block'
}
