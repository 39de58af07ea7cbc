import { DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { EventBody } from '../event.ts'
import { asPlain, toJson } from '../json.ts'
import type { Log } from '../log/log.ts'
import { promptBuilder } from '../message.ts'
import { isContent } from '../part.ts'
import { combine, createPlanner, type Planner, type TurnPlan } from '../plan.ts'
import type { Agent, RunContext } from '../run.ts'
import type { Signal } from '../signal.ts'
import type { RunState } from '../state.ts'
import { turnCode } from '../tool.ts'
import type { Desk } from './desk.ts'

/** Runs the whole loop: one pass of the backend after another, until it signals. */
export async function untilSignal(run: WorkContext): Promise<Signal> {
  for (;;) {
    run.forgetPlan()
    const before = run.state.seq
    let signal: Signal | undefined
    try {
      const { live, backend } = run.agent
      run.abortSignal.throwIfAborted()
      signal = await backend(live ? await live.enter(run) : run)
    } catch (error) {
      // A step that throws because the run is stopped has not failed.
      if (!run.abortSignal.aborted) throw error
    }
    if (run.abortSignal.aborted) return { type: 'stopped', reason: (run.abortSignal.reason as AgentError).message }
    if (signal) return checked(signal, run)
    if (run.state.seq === before) throw stalled(run)
  }
}

/**
 * Returns a copy of a signal, as the log will have it, since the step may change its own. Throws for a signal that
 * would make the log unreadable. A step may have taken it from notes of a damaged log.
 */
function checked(given: Signal, { engine }: RunContext): Signal {
  const signal = asPlain(given)
  // JSON has no functions.
  if (signal === null)
    throw new AgentError(
      'state_invalid',
      DEV && 'A step returned a function instead of a signal. Call that step: step(run).',
    )
  const wrong = engine ? engine.invalidPathOf({ type: 'settled', signal }) : invalidPathOfSignal(signal)
  if (wrong === undefined) return signal
  throw new AgentError('state_invalid', DEV && `A step returned a signal with a wrong or missing "${wrong}".`)
}

const unreadable = ({ type }: EventBody, wrong: string): AgentError =>
  new AgentError('state_invalid', DEV && `A step emitted an event "${type}" with a wrong or missing "${wrong}".`)

/** Returns the member of the event that the run itself could not handle. */
const invalidPathOfEvent = (event: EventBody): string | undefined =>
  event.type === 'said' && !isContent(event.content) ? 'content' : undefined

/** Returns the path to a member of the signal that the run itself could not handle. */
function invalidPathOfSignal(signal: Signal): string | undefined {
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

function stalled({ agent: { name }, state: { history, pending } }: RunContext): AgentError {
  const why =
    DEV &&
    (history.length + pending.length === 0
      ? `The run of the agent "${name}" has no message yet. Send one with run.say().`
      : `A pass of the agent "${name}" did nothing. Its backend needs a step that thinks, acts or stops here.`)
  return new AgentError('stalled', why)
}

/** The inputs of a run context. */
interface WorkParts extends Pick<RunContext, 'agent' | 'journal' | 'children' | 'host' | 'abortSignal'> {
  readonly log: Log
  readonly desk: Desk
  readonly lease: Lease
  readonly readContext: () => unknown
  /** The functions to call once the run is no longer active. */
  readonly ends: Map<object, () => void>
}

/**
 * The run as its steps see it in one period of work. Steps may destructure it, so its methods do not use a dynamic
 * `this`; views inherit from it, so no member is `#private`.
 */
export class WorkContext implements RunContext {
  readonly agent: Agent
  readonly host: RunContext['host']
  readonly journal: RunContext['journal']
  readonly engine: RunContext['engine']
  readonly children: RunContext['children']
  readonly abortSignal: AbortSignal
  readonly prompt: RunContext['prompt'] = promptBuilder()
  private readonly log: Log
  private readonly desk: Desk
  private readonly lease: Lease
  private readonly readContext: () => unknown
  private readonly ends: WorkParts['ends']
  private readonly planner: Planner = createPlanner()

  constructor(parts: WorkParts) {
    const { agent, host, journal, children, abortSignal, log, desk, lease, ends, readContext } = parts
    this.agent = agent
    this.host = host
    this.journal = journal
    this.engine = log.engine
    this.children = children
    this.abortSignal = abortSignal
    this.log = log
    this.desk = desk
    this.lease = lease
    this.readContext = readContext
    this.ends = ends
  }

  get state(): RunState {
    return this.log.state
  }

  get context(): unknown {
    return this.readContext()
  }

  get durableSeq(): number {
    return this.log.durableSeq
  }

  get mayLackChildren(): boolean {
    const { state, past } = this.log
    return state.mayLackChildren === true || (!this.journal && past.seq > 0)
  }

  get plan(): TurnPlan {
    const { iteration } = this.log.state
    const plan = this.planner.of(iteration + 1)
    // A router or a graph lets another agent work on the run.
    const { tools } = this.agent
    const before = turnCode(tools).plan?.(tools, this.log.state)
    return before ? combine(before, plan) : plan
  }

  whileActive(key: object, begin: () => () => void): void {
    if (!this.ends.has(key)) this.ends.set(key, begin())
  }

  with<Members extends object>(members: Members): RunContext & Members {
    return Object.create(this, Object.getOwnPropertyDescriptors(members))
  }

  /** Clears the plan of the turn: each pass makes its own. */
  forgetPlan(): void {
    this.planner.forget()
  }

  readonly replan: RunContext['replan'] = (change) => this.planner.change(this.log.state.iteration + 1, change)

  readonly emit: RunContext['emit'] = (event) => {
    this.lease.check()
    // A step may change its value later.
    const given = event.type === 'noted' ? { ...event, value: toJson(event.value) } : event
    const wrong = this.engine ? this.engine.invalidPathOf(given) : invalidPathOfEvent(given)
    if (wrong !== undefined) throw unreadable(event, wrong)
    this.log.emit(given)
  }

  readonly learn: RunContext['learn'] = (changes) => this.log.learn(changes)

  readonly live: RunContext['live'] = (event) => {
    this.lease.check()
    this.log.live(event)
  }

  readonly durable: RunContext['durable'] = (durability) => this.log.durable(durability)

  readonly onRecovered: RunContext['onRecovered'] = (callback) => this.log.onRecovered(callback)

  readonly isFailure: RunContext['isFailure'] = (error) => this.log.failureOf(error) > 0

  readonly ask: RunContext['ask'] = (key, question) => {
    this.lease.check()
    return this.desk.own.ask(key, question)
  }

  readonly once: RunContext['once'] = (key, fn) => {
    this.lease.check()
    return this.desk.own.once(key, fn)
  }

  readonly activity: RunContext['activity'] = (call) => {
    this.lease.check()
    return this.desk.own.activity(call)
  }
}

/**
 * The right of one period of work to write to the log, until it is revoked. Work may ignore a stop: the run then no
 * longer waits for it, and its later writes throw.
 */
export class Lease {
  #over: Error | undefined = undefined
  #settle: ((signal: Signal) => void) | undefined = undefined

  /** Throws once the lease is over. */
  check(): void {
    if (this.#over) throw this.#over
  }

  /** Returns the result of the work, or the signal that ended the lease first. */
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
