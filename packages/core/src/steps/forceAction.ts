import { assertOption, type KnownOptions, refuseUnknown } from '../options.ts'
import type { Step } from '../run.ts'
import { awaitsThought, type RunState } from '../state.ts'
import { requestTurns, sayOnce } from '../step.ts'

export interface ForceActionOptions {
  /** Consecutive turns without a call; 3 by default. */
  after?: number
}

const forceActionOptions: KnownOptions<ForceActionOptions> = { after: 'a number (0 or more)' }

/**
 * Makes a model act that only thinks: after this many turns in a row without a call, it must make one in the next. Any
 * call resets the count. For `before`.
 */
export function forceAction(options: ForceActionOptions = {}): Step {
  refuseUnknown('forceAction()', options, forceActionOptions)
  const { after = 3 } = options
  assertOption(Number.isInteger(after) && after > 0, `forceAction({ after: ${after} }): use a whole number above 0.`)

  return (run) => {
    const { state, agent, plan } = run
    if (!awaitsThought(state) || Object.keys(agent.tools).length === 0 || plan.toolChoice?.type === 'none')
      return undefined
    if (!isIdle(state, after)) return undefined
    run.replan({ toolChoice: { type: 'required' } })
    sayOnce(run, `You have thought for ${after} turns without acting. Call a tool now.`)
    return undefined
  }
}

/** Returns true if this many of the latest turns called nothing. Turns that were cut off do not count. */
function isIdle(state: RunState, after: number): boolean {
  let idle = 0
  for (const { parts, error } of requestTurns(state)) {
    if (parts.some(({ type }) => type === 'tool-call')) return false
    if (!error && ++idle === after) return true
  }
  return false
}
