import { DEV } from '#checks'
import { copyInput } from '../calls/copyInput.ts'
import { inTime } from '../engine/wait.ts'
import { AgentError, messageOf } from '../error.ts'
import { toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import { noteOf, type RunState } from '../state.ts'
import { claimNote } from '../step.ts'

/** The result of checking a message, a call or an answer. */
export type Verdict<T> = Allowed | Rewritten<T> | Blocked
type Allowed = { readonly type: 'allow' }
/** `value` is the replacement. */
type Rewritten<T> = { readonly type: 'rewrite'; readonly value: T; readonly reason: string }
type Blocked = { readonly type: 'block'; readonly reason: string }

/** Checks something before it counts, and may replace it. A check that throws or takes too long lets nothing through. */
export type Check<T, Else = T> = (value: T, state: RunState) => Verdict<Else> | PromiseLike<Verdict<Else>>

/** Lets a message, a call or an answer through. */
export const allow: Allowed = Object.freeze({ type: 'allow' })

/** Replaces it. The reason is in the log. */
export const rewrite = <T>(value: T, reason = 'Rewritten.'): Rewritten<T> => ({ type: 'rewrite', value, reason })

export const block = (reason: string): Blocked => ({ type: 'block', reason })

/** The milliseconds that a check may take, unless its guard names others: as many as a tool. */
export const checkMs = 60_000

interface Judging<T, Else> {
  readonly check: Check<T, Else>
  readonly timeoutMs: number
}

/** Returns a check's verdict, or the error of the check. */
export async function verdictOf<T, Else>(
  run: RunContext,
  { check, timeoutMs }: Judging<T, Else>,
  value: T,
): Promise<Verdict<Else>> {
  let verdict: Partial<Verdict<Else>> | undefined
  try {
    // The check may change its argument, so it gets a copy: the state has the value itself.
    verdict = await inTime(run, { name: 'check', timeoutMs }, () => check(copyInput(value) as T, run.state))
  } catch (error) {
    if (run.abortSignal.aborted) throw error
    throw new AgentError('guard_failed', `A check failed, so nothing passes it: ${messageOf(error)}`, { cause: error })
  }
  if (isVerdict<Else>(verdict)) return verdict
  throw new AgentError(
    'guard_failed',
    'A check returned no verdict. Return allow, rewrite(value) or block(reason), with a string as the reason.',
  )
}

function isVerdict<T>(given: Partial<Verdict<T>> | undefined): given is Verdict<T> {
  if (given?.type === 'allow') return true
  if (given?.type === 'rewrite' && given.value === undefined) return false
  return (given?.type === 'block' || given?.type === 'rewrite') && typeof given.reason === 'string'
}

/** A step's memory of a run: one note in its log, so that it survives a reload. */
export interface OwnNote<T> {
  read(run: RunContext): T | undefined
  write(run: RunContext, value: T): void
}

/** Creates a note of a step. Two steps must not share one: a guard would allow messages that it never checked. */
export function ownNote<T extends object>(key: string): OwnNote<T> {
  const owner = {}
  const claim = (run: RunContext): void => {
    if (claimNote(run, key, owner)) return
    throw new AgentError('options_invalid', DEV && `Two steps use the note "${key}". Give each a \`name\` of its own.`)
  }
  return {
    read(run) {
      claim(run)
      return noteOf<T>(run.state, key)
    },
    write(run, value) {
      claim(run)
      run.emit({ type: 'noted', key, value: toJson(value) })
    },
  }
}
