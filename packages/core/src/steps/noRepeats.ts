import { AgentError } from '../error.ts'
import { cached, canonicalJson } from '../json.ts'
import { demand, isOptional } from '../options.ts'
import { failedOutcome } from '../outcome.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { type Call, latestTurn, type RunState } from '../state.ts'
import { requestTurns, sayOnce } from '../step.ts'

export interface NoRepeatsOptions {
  /** So many times the same call is borne; with the last of them the model is warned. 3 by default. */
  times?: number
  /** Among so many latest calls of the request; 20 by default. */
  within?: number
  /** Tools that may be called alike again and again, such as one that waits for something. */
  except?: readonly string[]
  /** Writes the warning. */
  warn?: (call: Call, count: number) => string
}

/**
 * Ends loops in which the model calls the same tool with the same input over and over. It is warned first; if it calls so
 * once more nonetheless, that call is not run, and the run fails with `call_repeated`. The order of keys makes no difference.
 * Stands in `between`.
 */
export function noRepeats({ times = 3, within = 20, except = [], warn = warning }: NoRepeatsOptions = {}): Step {
  demand(Number.isInteger(times) && times > 1, `noRepeats({ times: ${times} }): use a whole number above 1.`)
  demand(within > times, `noRepeats({ within: ${within} }): use a number above times, which is ${times}.`)
  demand(isOptional(warn, 'function'), 'The `warn` of noRepeats() must be a function that returns a string.')

  return (run) => {
    const calls = countCalls(run.state, within)
    const watched = (latestTurn(run.state)?.calls ?? []).filter(
      ({ name, approvalId, error }) => !except.includes(name) && approvalId === undefined && error?.code !== code,
    )
    const again = watched.filter((call) => calls.before(call) >= times)
    if (again.length > 0) return refuse(run, again)
    const alike = new Map(watched.filter((call) => calls.all(call) >= times).map((call) => [signatureOf(call), call]))
    for (const call of alike.values()) sayOnce(run, warn(call, calls.all(call)))
    return undefined
  }
}

const code = 'call_repeated'

interface Counts {
  /** Returns the count of this call in earlier turns: enough for the model to have been warned. */
  before(call: Call): number
  all(call: Call): number
}

function countCalls(state: RunState, within: number): Counts {
  const all = new Map<string, number>()
  const now = new Map<string, number>()
  let left = within
  for (const { calls, iteration } of requestTurns(state)) {
    for (const call of calls.toReversed()) {
      if (left-- <= 0) break
      count(all, call)
      if (iteration === state.iteration) count(now, call)
    }
    if (left <= 0) break
  }
  const of = (counts: Map<string, number>, call: Call): number => counts.get(signatureOf(call)) ?? 0
  return { all: (call) => of(all, call), before: (call) => of(all, call) - of(now, call) }
}

function count(counts: Map<string, number>, call: Call): void {
  const signature = signatureOf(call)
  counts.set(signature, (counts.get(signature) ?? 0) + 1)
}

const written = new WeakMap<object, string>()

/** Inputs are kept as they are, so each is written once. */
function signatureOf({ name, input }: Call): string {
  const text =
    typeof input === 'object' && input !== null
      ? cached(written, input, () => canonicalJson(input))
      : canonicalJson(input)
  return `${name} ${text}`
}

/** Answers the calls, so that the run can continue with `resume` or a message. */
function refuse(run: RunContext, calls: readonly Call[]): Signal {
  const names = [...new Set(calls.map(({ name }) => name))].join(' and ')
  const error = new AgentError(
    code,
    `The model calls ${names} with the same input over and over, though it was warned.`,
  )
  const refusal = failedOutcome(new AgentError(code, 'Not run: this was called with the same input too often.'))
  for (const call of calls) if (!call.result) run.emit({ type: 'observed', call: call.key, ms: 0, ...refusal })
  return failed(error)
}

const warning = ({ name }: Call, times: number): string =>
  `You have called ${name} with the same input ${times} times. Its results are above: use them, or try something else. ` +
  'If you call it so once more, the task ends.'
