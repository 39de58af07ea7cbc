import { AgentError } from '../error.ts'
import { cached, toJson } from '../json.ts'
import { type Log, liveProperties } from '../log/log.ts'
import { promptBuilder } from '../message.ts'
import { combine, createPlanner, type Planner, type TurnPlan } from '../plan.ts'
import type { Agent, RunContext } from '../run.ts'
import type { Signal } from '../signal.ts'
import { type Call, itemAt, lengthOf, type RunState, type Turn } from '../state.ts'
import type { ToolSpec } from '../tool.ts'
import type { People } from './people.ts'

/** The whole loop: the backend is passed again and again, until it signals. */
export async function untilSignal(run: RunContext, onPass: () => void): Promise<Signal> {
  for (;;) {
    onPass()
    const before = run.state.seq
    let signal: Signal | undefined
    try {
      signal = await run.agent.backend(run)
    } catch (error) {
      // What a step throws because the run is stopped is no failure of the step.
      if (!run.abortSignal.aborted) throw error
    }
    if (run.abortSignal.aborted) return { type: 'stopped', reason: (run.abortSignal.reason as AgentError).message }
    if (signal) return checked(signal, run)
    if (run.state.seq === before) throw stalled(run)
  }
}

/** A signal that no log could be read with again. A step may have taken it from notes of a damaged log. */
function checked(signal: Signal, { engine }: RunContext): Signal {
  const wrong = engine ? engine.misfitOf(signal) : misfitOf(signal)
  if (wrong === undefined) return signal
  throw new AgentError('state_invalid', `A step gave a signal with a wrong or missing "${wrong}".`)
}

/** The path to what the run itself would stumble over. */
function misfitOf(signal: Signal): string | undefined {
  switch (signal.type) {
    case 'answer':
    case 'stopped':
      return typeof signal.reason === 'string' ? undefined : 'reason'
    case 'failed':
      return typeof signal.error?.message === 'string' ? undefined : 'error'
    case 'inputNeeded':
      return signal.asks?.[0] ? undefined : 'asks'
    case 'limitReached':
      return typeof signal.ask?.id === 'string' ? undefined : 'ask'
    default:
      return 'type'
  }
}

const stalled = ({ agent: { name } }: RunContext): AgentError =>
  new AgentError(
    'stalled',
    `A pass of the agent "${name}" did nothing. Its backend needs a step that thinks, acts or stops here.`,
  )

/** The inputs of a run context. */
interface RunContextParts {
  readonly agent: Agent
  readonly log: Log
  readonly people: People
  readonly lease: Lease
  readonly journal: RunContext['journal']
  readonly children: RunContext['children']
  readonly host: RunContext['host']
  readonly abortSignal: AbortSignal
}

interface Given {
  readonly context: RunContext
  /** Clears the plan of the turn: each pass makes its own. */
  forget(): void
}

export function createRunContext({ log, people, lease, ...place }: RunContextParts): Given {
  const { durable, engine, failureOf, onRecovered } = log
  const planner = createPlanner()
  const plain: Omit<RunContext, 'state' | 'durableSeq' | 'plan'> = {
    ...place,
    prompt: promptBuilder(),
    durable,
    engine,
    onRecovered,
    replan: (change) => planner.change(log.state.iteration + 1, change),
    emit(event) {
      lease.check()
      // A step may change its value later.
      log.emit(event.type === 'noted' ? { ...event, value: toJson(event.value) } : event)
    },
    live(event) {
      lease.check()
      log.live(event)
    },
    ask(key, question) {
      lease.check()
      return people.own.ask(key, question)
    },
    once(key, fn) {
      lease.check()
      return people.own.once(key, fn)
    },
    activity(call) {
      lease.check()
      return people.own.activity(call)
    },
    isFailure: (error) => failureOf(error) > 0,
  }
  return { context: withState(plain, { log, planner }), forget: planner.forget }
}

const withState = liveProperties<{ log: Log; planner: Planner }, Pick<RunContext, 'state' | 'durableSeq' | 'plan'>>({
  state: ({ log }) => log.state,
  durableSeq: ({ log }) => log.durableSeq,
  plan({ log, planner }, self) {
    const plan = planner.of(log.state.iteration + 1)
    // A router or a graph lets another agent work on the run.
    const before = plannedByTools((self as RunContext).agent, log.state)
    return before ? combine(before, plan) : plan
  },
})

/**
 * The right of one working period to write to the log, until it is revoked. Work may ignore its stop: the run no longer waits for it
 * then, and later writes throw.
 */
export class Lease {
  #over: Error | undefined = undefined
  #settle: ((signal: Signal) => void) | undefined = undefined

  /** Throws once the lease is over. */
  check(): void {
    if (this.#over) throw this.#over
  }

  /** The result of the work, or the signal that ended the lease first. */
  orEnd(work: Promise<Signal>): Promise<Signal> {
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      work.then(resolve, reject)
    })
  }

  end(signal: Signal, reason: Error): void {
    this.#over = reason
    this.#settle?.(signal)
  }
}

const planning = new WeakMap<Agent['tools'], boolean>()
/** Few agents have such a tool, and a plan is read often. */
const mayPlan = (tools: Agent['tools']): boolean =>
  cached(planning, tools, () => Object.values(tools).some(({ next }) => next !== undefined))

/** Returns the plan that the tools of a turn set for the next turn. The first tool that sets a field wins. */
function plannedByTools({ tools }: Pick<Agent, 'tools'>, state: RunState): TurnPlan | undefined {
  if (!mayPlan(tools)) return undefined
  const plans = lastWholeTurn(state)?.calls.flatMap((call) => nextOf(tools[call.name], call) ?? []) ?? []
  return plans.length > 0 ? Object.assign({}, ...plans.reverse()) : undefined
}

/** Returns the latest complete turn. One that was cut off is requested again in the same way. */
function lastWholeTurn({ history }: RunState): Turn | undefined {
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (entry?.type === 'turn' && !entry.error) return entry
  }
  return undefined
}

function nextOf(spec: ToolSpec | undefined, { result, output, error }: Call): TurnPlan | undefined {
  if (!spec?.next || !result || error) return undefined
  if (typeof spec.next !== 'function') return spec.next
  // Somebody amended what it came to, and left nothing of what it returned.
  if (spec.toModelOutput && output === undefined) return undefined
  // It may change what it is given: the state has its own.
  return spec.next(structuredClone(output ?? ('value' in result ? result.value : undefined)))
}
