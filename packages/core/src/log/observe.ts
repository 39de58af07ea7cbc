import { checkArgument, checkOptions, checkRun } from '#checks'
import { joinLive } from '../draft.ts'
import { AgentError, reportLater, reportRejection } from '../error.ts'
import type { AnyEvent, Delta, Progressed } from '../event.ts'
import type { EventOf, Listener } from '../run.ts'
import type { Signal } from '../signal.ts'
import { openCalls, type RunState } from '../state.ts'

/**
 * Hooks for a run. Each may be async; calls to one observer never overlap and keep the order of the events. A slow
 * observer gets every durable event, and consecutive deltas of one text merged. If an observer throws, nothing else is
 * affected: its `onError`, or `reportError`, receives the error, and `stalled` if a thousand calls wait for one.
 */
export interface Observer {
  onStart?(state: RunState): unknown
  onIterationStart?(iteration: number, state: RunState): unknown
  onIterationEnd?(iteration: number, state: RunState): unknown
  onThought?(event: EventOf<'thought'>, state: RunState): unknown
  onAction?(event: EventOf<'claimed'>, state: RunState): unknown
  onObservation?(event: EventOf<'observed'>, state: RunState): unknown
  onAsk?(event: EventOf<'asked'>, state: RunState): unknown
  onReply?(event: EventOf<'replied'>, state: RunState): unknown
  onCompaction?(event: EventOf<'compacted'>, state: RunState): unknown
  /** Called with each signal. */
  onSignal?(signal: Signal, state: RunState): unknown
  /** Called with an answer, a failure or a stop. */
  onFinish?(signal: Signal, state: RunState): unknown
  /** Called with each event, live ones included. */
  onEvent?(event: AnyEvent, state: RunState): unknown
  onError?(error: unknown): void
}

/**
 * Makes an observer of hooks, for the `observers` of a run: it receives all events from the first on.
 *
 * @example
 * guide.start('Hello', { observers: [observer({ onSignal: (signal) => console.log(signal.type) })] })
 */
export function observer(hooks: Observer): Listener {
  const calls = new HookCalls(hooks)
  return (event, state) => calls.receive(event, state)
}

/**
 * Calls hooks for the events of a run from now on. Returns a function that ends this.
 *
 * @example
 * const leave = observe(run, { onSignal: (signal) => console.log(signal.type) })
 */
export function observe(run: { subscribe(listener: Listener): () => void }, hooks: Observer): () => void {
  checkRun(run, 'observe()')
  const calls = new HookCalls(hooks)
  const leave = run.subscribe((event, state) => calls.receive(event, state))
  return () => {
    leave()
    calls.forget()
  }
}

/** The number of pending hook calls at which the observer is reported as stalled. */
const many = 1_000

/** The calls to one observer, in the order of the events and never overlapping. The run does not wait for them. */
class HookCalls {
  readonly #hooks: Observer
  readonly #waiting: HookCall[] = []
  #isBusy = false
  #isLate = false
  /**
   * The last turn whose start was reported. A turn that ended before the observer received its start was not reported.
   */
  #turn: number | undefined = undefined

  constructor(hooks: Observer) {
    checkArgument(hooks, 'hooks of an observer', 'an object')
    // An observer may be an object with members of its own.
    const own = Object.entries(hooks).filter(([name]) => /^on[A-Z]/.test(name))
    checkOptions('An observer', Object.fromEntries(own), [
      'onStart',
      'onIterationStart',
      'onIterationEnd',
      'onThought',
      'onAction',
      'onObservation',
      'onAsk',
      'onReply',
      'onCompaction',
      'onSignal',
      'onFinish',
      'onEvent',
      'onError',
    ])
    this.#hooks = hooks
  }

  receive(event: AnyEvent, state: RunState): void {
    const waiting = this.#waiting
    if (event.type === 'thought' && event.iteration !== this.#turn) {
      waiting.push(['onIterationStart', event.iteration, state])
    }
    if (event.type === 'thinking' || event.type === 'thought') this.#turn = event.iteration
    for (const call of callsFor(event, state)) addCall(waiting, call)
    if (!this.#isBusy) this.#drain()
    if (this.#isLate || waiting.length < many) return
    this.#isLate = true
    this.#report(stalled())
  }

  /** Forgets the pending calls. */
  forget(): void {
    this.#waiting.length = 0
  }

  #drain(): void {
    this.#isBusy = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const working = this.#call(next)
      if (working) return void working.then(() => this.#drain())
    }
    this.#isBusy = false
    this.#isLate = false
  }

  /** Calls a hook. Returns a promise only if the hook returned one. */
  #call([name, first, state]: HookCall): Promise<void> | undefined {
    try {
      const result = (this.#hooks[name] as Hook | undefined)?.call(this.#hooks, first, state)
      if (!isThenable(result)) return undefined
      return Promise.resolve(result).then(
        () => {},
        (error) => this.#report(error),
      )
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }

  #report(error: unknown): void {
    try {
      const { onError = reportLater } = this.#hooks
      reportRejection(onError.call(this.#hooks, error))
    } catch {
      // An observer whose own error hook throws has no other way to report.
    }
  }
}

type Hook = (first: unknown, state: RunState) => unknown

/** A hook to call, its first argument, and the state at that time. */
type HookCall = readonly [name: Exclude<keyof Observer, 'onError'>, first: unknown, state: RunState]

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value

const stalled = (): AgentError =>
  new AgentError(
    'stalled',
    `${many} calls wait for a hook of an observer. Does its promise settle? If not soon, do not return it.`,
    { retryable: true },
  )

const hookOf: { readonly [Type in AnyEvent['type']]?: HookCall[0] } = {
  thought: 'onThought',
  claimed: 'onAction',
  observed: 'onObservation',
  asked: 'onAsk',
  replied: 'onReply',
  compacted: 'onCompaction',
}

function callsFor(event: AnyEvent, state: RunState): readonly HookCall[] {
  const calls: HookCall[] = [['onEvent', event, state]]
  const add = (name: HookCall[0], first: unknown): unknown => calls.push([name, first, state])
  const hook = hookOf[event.type]
  if (hook) add(hook, event)
  if (event.type === 'started') add('onStart', state)
  if (event.type === 'thinking') add('onIterationStart', event.iteration)
  if (event.type === 'settled') {
    add('onSignal', event.signal)
    if (isEnd(event.signal.type)) add('onFinish', event.signal)
  }
  if (endsIteration(event, state)) add('onIterationEnd', event.iteration)
  return calls
}

const isEnd = (type: string): boolean => type === 'answer' || type === 'failed' || type === 'stopped'

/** Returns true if a turn is over: with its last observation, or with the thought itself if it called nothing. */
const endsIteration = (
  event: AnyEvent,
  state: RunState,
): event is Extract<AnyEvent, { type: 'thought' | 'observed' }> =>
  (event.type === 'thought' || event.type === 'observed') && openCalls(state).length === 0

/** Queues a call for a slow observer, and merges streaming events, so the queue grows no faster than the log. */
function addCall(waiting: HookCall[], call: HookCall): void {
  const event = streamed(call)
  let last = call
  for (let at = waiting.length - 1; event && at >= 0; at--) {
    const before = streamed(waiting[at])
    if (!before) break
    const joined = joinLive(before, event)
    if (!joined) continue
    // Its state is the latest one, so it comes last.
    waiting.splice(at, 1)
    last = ['onEvent', joined, call[2]]
    break
  }
  waiting.push(last)
}

function streamed(call: HookCall | undefined): Delta | Progressed | undefined {
  if (call?.[0] !== 'onEvent') return undefined
  const event = call[1] as AnyEvent
  return event.type === 'delta' || event.type === 'progressed' ? event : undefined
}
