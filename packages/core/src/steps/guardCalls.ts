import { AgentError, toFailure } from '../error.ts'
import { type Json, toJson } from '../json.ts'
import { checkType, type KnownOptions, refuseUnknown } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { type Call, openCalls } from '../state.ts'
import { type Check, ownNote, type Verdict, verdictOf } from './verdict.ts'

export interface GuardCallsOptions {
  /** Distinguishes several guards of one agent; `calls` by default. */
  name?: string
}

const guardCallsOptions: KnownOptions<GuardCallsOptions> = { name: 'a string' }

/**
 * Checks each call of a turn once, before any of them runs. A rewritten input must fit the tool's schema like the
 * model's own; a blocked call is an observation with the reason. For `between`. `guardOutput` checks final answers.
 */
export function guardCalls(check: Check<Call, Json>, options: GuardCallsOptions = {}): Step {
  refuseUnknown('guardCalls()', options, guardCallsOptions)
  checkType(check ?? null, 'check of guardCalls()', 'a function')
  const { name = 'calls' } = options
  const note = ownNote<{ readonly turn: number }>(`guard/${name}`)

  return async (run) => {
    const { iteration: turn } = run.state
    const open = openCalls(run.state).filter((call) => isOurs(run, call))
    if (open.length === 0 || note.read(run)?.turn === turn) return undefined
    const verdicts = await Promise.all(open.map((call) => verdictOf(run, check, call)))
    for (const [index, verdict] of verdicts.entries()) if (open[index]) settle(run, open[index], verdict)
    note.write(run, { turn })
    return undefined
  }
}

/** Returns true for a call to check. An input that could not be parsed goes back to the model anyway. */
const isOurs = ({ agent: { tools } }: RunContext, { name, invalid }: Call): boolean =>
  invalid === undefined && !tools[name]?.terminal

function settle(run: RunContext, { key, approvalId }: Call, verdict: Verdict<Json>): void {
  if (verdict.type === 'allow') return
  const { reason } = verdict
  if (verdict.type === 'block') {
    const error = toFailure(new AgentError('guard_blocked', reason), 'guard_blocked')
    run.emit({ type: 'observed', call: key, ms: 0, result: { type: 'execution-denied', reason }, error })
  } else if (approvalId === undefined) {
    run.emit({ type: 'amended', of: key, input: toJson(verdict.value), reason })
  } else {
    throw new AgentError('guard_failed', 'A call that the provider runs cannot be rewritten. Allow it, or block it.')
  }
}
