import { AgentError } from '../error.ts'
import { demand } from '../options.ts'
import { failedOutcome } from '../outcome.ts'
import type { RunContext, Step } from '../run.ts'
import { type Call, itemAt, latestTurn, lengthOf, type RunState, type Turn } from '../state.ts'

/** The maximum call rate of a tool. */
export interface CallRate {
  readonly calls: number
  /** Within so many milliseconds, up to now. Without it, for each message of the user. */
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
  const entries = Object.entries(rates)
  for (const [name, { calls, ms }] of entries) {
    demand(Number.isInteger(calls) && calls > 0, `limitCalls({ ${name} }) needs calls, a whole number above 0.`)
    demand(ms === undefined || ms > 0, `The \`ms\` of limitCalls({ ${name} }) must be a number above 0.`)
  }
  return (run) => {
    for (const [name, rate] of entries) {
      demand(run.agent.tools[name], `limitCalls() names "${name}", and the agent "${run.agent.name}" has no such tool.`)
      refuseBeyond(run, name, rate)
    }
    return undefined
  }
}

const code = 'too_many'

function refuseBeyond(run: RunContext, name: string, rate: CallRate): void {
  const turn = latestTurn(run.state)
  // Looked at in the order of the model, so that after a reload the same ones are refused.
  const calls = turn?.calls.filter((call) => call.name === name && call.error?.code !== code) ?? []
  if (!turn || calls.every(isBegun)) return
  const before = countBegun(run, turn, { ...rate, name })
  for (const call of calls.slice(Math.max(0, rate.calls - before))) {
    if (!isBegun(call)) run.emit({ type: 'observed', call: call.key, ms: 0, ...failedOutcome(tooMany(name, rate)) })
  }
}

const isBegun = ({ calledAt, result }: Call): boolean => calledAt !== undefined || result !== undefined

/** Returns the tool's started calls in the earlier turns, as far back as they count. */
function countBegun(run: RunContext, latest: Turn, { name, ms }: CallRate & { name: string }): number {
  const { state } = run
  const since = ms === undefined ? 0 : run.host.now() - ms
  let count = 0
  for (const { iteration, calls } of turnsOf(state)) {
    if (ms === undefined && iteration <= state.request.iteration) break
    if (iteration === latest.iteration) continue
    count += calls.filter((call) => call.name === name && call.calledAt !== undefined && call.calledAt > since).length
  }
  return count
}

/** The newest first. */
function* turnsOf({ history }: RunState): Generator<Turn, void> {
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (entry?.type === 'turn') yield entry
  }
}

function tooMany(name: string, { calls, ms }: CallRate): AgentError {
  const often = `${name} may be called ${calls === 1 ? 'once' : `${calls} times`}`
  return ms === undefined
    ? new AgentError(code, `${often} for each message of the user. Go on with what you have.`)
    : new AgentError(code, `${often} in ${ms} ms. Go on without it, or call it later.`, { retryable: true })
}
