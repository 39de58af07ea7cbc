import { joinLive } from '../draft.ts'
import { AgentError, reportLater } from '../error.ts'
import type { AnyEvent, Delta, Progressed } from '../event.ts'
import type { Listener, Observer, Run } from '../run.ts'
import { openCalls, type RunState } from '../state.ts'

/** The number of pending hook calls at which the observer is reported as stalled. */
const many = 1_000

/**
 * Attaches an observer to a source of events. Hooks are called in the order of the events and never overlap: later
 * calls wait for an async hook, and the run does not. Consecutive pending deltas of one text are merged.
 */
export function observe(source: { subscribe(listener: Listener): () => void }, observer: Observer): () => void {
  const waiting: Telling[] = []
  let busy = false
  let isLate = false

  const drain = (): void => {
    busy = true
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const working = tell(observer, next)
      if (working) return void working.then(drain)
    }
    busy = false
    isLate = false
  }

  /** The last turn whose start was reported. A turn that had ended before the observer received it was not. */
  let turn: number | undefined
  const leave = source.subscribe((event, state) => {
    if (event.type === 'thought' && event.iteration !== turn) {
      waiting.push(['onIterationStart', event.iteration, state])
    }
    if (event.type === 'thinking' || event.type === 'thought') turn = event.iteration
    for (const telling of tellingsOf(event, state)) addTelling(waiting, telling)
    if (!busy) drain()
    if (isLate || waiting.length < many) return
    isLate = true
    report(observer, behind())
  })
  return () => {
    leave()
    waiting.length = 0
  }
}

type Hook = (first: unknown, state: RunState) => unknown

/** Calls a hook. A promise only if it gave one. */
function tell(observer: Observer, [name, first, state]: Telling): Promise<void> | undefined {
  const failed = (error: unknown): void => report(observer, error)
  try {
    const result = (observer[name] as Hook | undefined)?.call(observer, first, state)
    return isThenable(result) ? Promise.resolve(result).then(() => {}, failed) : undefined
  } catch (error) {
    failed(error)
    return undefined
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value

const behind = (): AgentError =>
  new AgentError(
    'stalled',
    `${many} calls wait for a hook of an observer. Does its promise settle? If not soon, do not return it.`,
    { retryable: true },
  )

function report(observer: Observer, error: unknown): void {
  try {
    if (observer.onError) observer.onError(error)
    else reportLater(error)
  } catch {
    // An observer whose own error hook throws has nobody left to tell.
  }
}

const hookOf: { readonly [Type in AnyEvent['type']]?: Telling[0] } = {
  thought: 'onThought',
  called: 'onAction',
  observed: 'onObservation',
  asked: 'onAsk',
  replied: 'onReply',
  compacted: 'onCompaction',
}

function tellingsOf(event: AnyEvent, state: RunState): readonly Telling[] {
  const tellings: Telling[] = [['onEvent', event, state]]
  const tellOf = (name: Telling[0], first: unknown): unknown => tellings.push([name, first, state])
  const hook = hookOf[event.type]
  if (hook) tellOf(hook, event)
  if (event.type === 'started') tellOf('onStart', state)
  if (event.type === 'thinking') tellOf('onIterationStart', event.iteration)
  if (event.type === 'rested') {
    tellOf('onSignal', event.signal)
    if (isEnd(event.signal.type)) tellOf('onFinish', event.signal)
  }
  if (endsIteration(event, state)) tellOf('onIterationEnd', event.iteration)
  return tellings
}

const isEnd = (type: string): boolean => type === 'answer' || type === 'failed' || type === 'stopped'

/** Returns true if a turn is over: with its last observation, or with the thought itself if it called nothing. */
const endsIteration = (
  event: AnyEvent,
  state: RunState,
): event is Extract<AnyEvent, { type: 'thought' | 'observed' }> =>
  (event.type === 'thought' || event.type === 'observed') && openCalls(state).length === 0

/** A hook to call, its first argument, and the state at that time. */
type Telling = readonly [name: Exclude<keyof Observer, 'onError'>, first: unknown, state: RunState]

/**
 * Queues a call for a slow observer. Merges streaming events with queued ones of the same text or call, so the queue
 * grows no faster than the log, and omits nothing.
 */
function addTelling(waiting: Telling[], telling: Telling): void {
  const event = streamed(telling)
  let last = telling
  for (let at = waiting.length - 1; event && at >= 0; at--) {
    const before = streamed(waiting[at])
    if (!before) break
    const joined = joinLive(before, event)
    if (!joined) continue
    // Its state is the latest one: it comes last.
    waiting.splice(at, 1)
    last = ['onEvent', joined, telling[2]]
    break
  }
  waiting.push(last)
}

function streamed(telling: Telling | undefined): Delta | Progressed | undefined {
  if (telling?.[0] !== 'onEvent') return undefined
  const event = telling[1] as AnyEvent
  return event.type === 'delta' || event.type === 'progressed' ? event : undefined
}

const observing = new WeakMap<object, WeakSet<Observer>>()

/** Attaches observers to a run that may be opened again, as by a component that is mounted again: each of them once. */
export function observeOnce(run: Pick<Run, 'observe'>, observers: readonly Observer[]): void {
  const known = observing.get(run) ?? new WeakSet()
  observing.set(run, known)
  for (const observer of observers) {
    if (known.has(observer)) continue
    known.add(observer)
    run.observe(observer)
  }
}
