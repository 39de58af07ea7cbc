import { checkArgument, DEV } from '#checks'
import { AgentError } from '../error.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { type Call, latestTurn, type Turn } from '../state.ts'
import { refuseCall, turnsOf } from '../step.ts'

/** The maximum call rate of a tool. */
export interface CallRate {
  readonly calls: number
  /** The period in milliseconds, up to now. Without it, the limit is per user message. */
  readonly ms?: number
}

/**
 * Limits how often single tools are called, by their names. A call over the limit does not run: the model observes why,
 * and the run continues. Only started calls count. For `between`; `limits: { toolCalls }` limits all tools together.
 *
 * @example
 * reasonAct({ between: [limitCalls({ search: { calls: 20, ms: 60_000 }, pay: { calls: 1 } })] })
 */
export function limitCalls(rates: Readonly<Record<string, CallRate>>): Step {
  checkArgument(rates, 'argument of limitCalls()', 'an object by tool, such as { search: { calls: 20 } }')
  const entries = Object.entries(rates)
  for (const [name, rate] of entries) {
    const { calls, ms }: CallRate = Object(rate)
    assertOption(
      Number.isInteger(calls) && calls > 0,
      DEV && `limitCalls({ ${name} }) needs calls, a whole number above 0.`,
    )
    assertOption(ms === undefined || ms > 0, DEV && `The \`ms\` of limitCalls({ ${name} }) must be a number above 0.`)
  }
  return (run) => {
    for (const [name, rate] of entries) {
      assertOption(
        run.agent.tools[name] || run.agent.live,
        DEV && `limitCalls() names "${name}", and the agent "${run.agent.name}" has no such tool.`,
      )
      applyRate(run, name, rate)
    }
    return undefined
  }
}

const limitCode = 'too_many'

function applyRate(run: RunContext, name: string, rate: CallRate): void {
  const turn = latestTurn(run.state)
  // In the order of the model, so that the same calls are rejected after a reload.
  const calls = turn?.calls.filter((call) => call.name === name && call.error?.code !== limitCode) ?? []
  if (!turn || calls.every(isDecided)) return
  const before = countBegun(run, turn, { ...rate, name })
  for (const call of calls.slice(Math.max(0, rate.calls - before))) {
    if (!isDecided(call)) refuseCall(run, call.key, tooMany(name, rate))
  }
}

/** Returns true if the call has started, or has a result without having started. */
const isDecided = ({ claimedAt, result }: Call): boolean => claimedAt !== undefined || result !== undefined

/** Returns the number of the tool's started calls in the earlier turns that count. */
function countBegun(run: RunContext, latest: Turn, { name, calls: most, ms }: CallRate & { name: string }): number {
  const { state } = run
  const since = ms === undefined ? 0 : run.host.now() - ms
  let count = 0
  let next = Number.POSITIVE_INFINITY
  for (const { iteration, calls, at } of turnsOf(state)) {
    // All calls of a turn begin before the next turn.
    if (next <= since || count >= most || (ms === undefined && iteration <= state.request.iteration)) break
    next = at
    if (iteration === latest.iteration) continue
    count += calls.filter((call) => call.name === name && call.claimedAt !== undefined && call.claimedAt > since).length
  }
  return count
}

function tooMany(name: string, { calls, ms }: CallRate): AgentError {
  const often = `${name} may be called ${calls === 1 ? 'once' : `${calls} times`}`
  return ms === undefined
    ? new AgentError(limitCode, `${often} for each message of the user. Go on with what you have.`)
    : new AgentError(limitCode, `${often} in ${ms} ms. Go on without it, or call it later.`, { retryable: true })
}
