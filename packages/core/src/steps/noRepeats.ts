import { checkOptions, DEV } from '#checks'
import { AgentError } from '../error.ts'
import { cached, canonicalJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { type Call, latestTurn, type RunState } from '../state.ts'
import { requestTurns, sayOnce } from '../step.ts'
import { failedOutcome } from '../tool.ts'

export interface NoRepeatsOptions {
  /** The number of identical calls that are allowed; the last of them warns the model. 3 by default. */
  times?: number
  /** The number of latest calls of the request that are compared; 20 by default. */
  within?: number
  /** Tools that may be repeated with the same input, such as one that waits for something. */
  except?: readonly string[]
  /** Writes the warning. */
  warn?: (call: Call, count: number) => string
}

/**
 * Ends loops in which the model calls the same tool with the same input over and over. The model is warned first; the
 * next identical call does not run, and the run fails with `call_repeated`. The order of keys makes no difference. For
 * `between`.
 */
export function noRepeats(options: NoRepeatsOptions = {}): Step {
  checkOptions('noRepeats()', options, ['times', 'within', 'except', 'warn'])
  const { times = 3, within = 20, except = [], warn = warning } = options
  assertOption(
    Number.isInteger(times) && times > 1,
    DEV && `noRepeats({ times: ${times} }): use a whole number above 1.`,
  )
  assertOption(within > times, DEV && `noRepeats({ within: ${within} }): use a number above times, which is ${times}.`)

  return (run) => {
    const calls = countCalls(run.state, within)
    const watched = (latestTurn(run.state)?.calls ?? []).filter(
      ({ name, approvalId, error }) => !except.includes(name) && approvalId === undefined && error?.code !== repeatCode,
    )
    const again = watched.filter((call) => calls.before(call) >= times)
    if (again.length > 0) return refuse(run, again)
    const alike = new Map(watched.filter((call) => calls.all(call) >= times).map((call) => [signatureOf(call), call]))
    for (const call of alike.values()) sayOnce(run, warn(call, calls.all(call)))
    return undefined
  }
}

const repeatCode = 'call_repeated'

/** Returns functions that count a call: in all turns, and in earlier turns, enough for the model to have been warned. */
function countCalls(state: RunState, within: number): Record<'all' | 'before', (call: Call) => number> {
  const all = new Map<string, number>()
  const before = new Map<string, number>()
  const count = (counts: Map<string, number>, signature: string): unknown =>
    counts.set(signature, (counts.get(signature) ?? 0) + 1)
  let left = within
  for (const { calls, iteration } of requestTurns(state)) {
    for (const call of calls.toReversed()) {
      if (left-- <= 0) break
      count(all, signatureOf(call))
      if (iteration !== state.iteration) count(before, signatureOf(call))
    }
    if (left <= 0) break
  }
  return { all: (call) => all.get(signatureOf(call)) ?? 0, before: (call) => before.get(signatureOf(call)) ?? 0 }
}

const written = new WeakMap<object, string>()

/** Returns the signature of a call, cached per input, because inputs do not change. */
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
  const what = `The model calls ${names} with the same input over and over, though it was warned.`
  const refusal = failedOutcome(new AgentError(repeatCode, 'Not run: this was called with the same input too often.'))
  for (const call of calls) if (!call.result) run.emit({ type: 'observed', call: call.key, ms: 0, ...refusal })
  return failed(new AgentError(repeatCode, what))
}

const warning = ({ name }: Call, times: number): string =>
  `You have called ${name} with the same input ${times} times. Its results are above: use them, or try something else. ` +
  'If you call it so once more, the task ends.'
