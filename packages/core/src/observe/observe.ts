import type { AnyEvent } from '../event.ts'
import { openCalls } from '../openCalls.ts'
import { reportLater } from '../reportLater.ts'
import type { Listener, Observer } from '../run.ts'
import type { RunState } from '../state.ts'

/**
 * Attaches an observer to anything that tells of its events. Its hooks are called in the order of the events and never
 * overlap: while one that is async works, later ones wait, and the run does not.
 */
export function observe(source: { subscribe(listener: Listener): () => void }, observer: Observer): () => void {
  let busy: Promise<void> | undefined
  const waiting: [AnyEvent, RunState][] = []

  const drain = async (first: Promise<void>): Promise<void> => {
    await first
    for (let next = waiting.shift(); next; next = waiting.shift()) await tell(observer, ...next)
    busy = undefined
  }

  return source.subscribe((event, state) => {
    if (busy) {
      waiting.push([event, state])
      return
    }
    const telling = tell(observer, event, state)
    if (telling) busy = drain(telling)
  })
}

type HookName = Exclude<keyof Observer, 'onError'>
/** A hook to call, and what it is told first. */
type Telling = readonly [name: HookName, first: unknown]

/** Calls the hooks of one event. A promise only if one of them gave one. */
function tell(observer: Observer, event: AnyEvent, state: RunState): Promise<void> | undefined {
  const tellings = tellingsOf(event, state)
  for (let i = 0; i < tellings.length; i++) {
    const result = attempt(observer, tellings[i], state)
    if (result) return finish(observer, { first: result, rest: tellings.slice(i + 1), state })
  }
  return undefined
}

interface Rest {
  readonly first: Promise<void>
  readonly rest: readonly Telling[]
  readonly state: RunState
}

async function finish(observer: Observer, { first, rest, state }: Rest): Promise<void> {
  await first
  for (const telling of rest) await attempt(observer, telling, state)
}

type Hook = (first: unknown, state: RunState) => unknown

function attempt(observer: Observer, telling: Telling | undefined, state: RunState): Promise<void> | undefined {
  if (!telling) return undefined
  const [name, first] = telling
  try {
    const result = (observer[name] as Hook | undefined)?.call(observer, first, state)
    if (!isThenable(result)) return undefined
    return Promise.resolve(result).then(
      () => {},
      (error) => report(observer, error),
    )
  } catch (error) {
    report(observer, error)
    return undefined
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value

function report(observer: Observer, error: unknown): void {
  try {
    if (observer.onError) observer.onError(error)
    else reportLater(error)
  } catch {
    // An observer whose own error hook throws has nobody left to tell.
  }
}

const hookOf: { readonly [Type in AnyEvent['type']]?: HookName } = {
  thought: 'onThought',
  called: 'onAction',
  observed: 'onObservation',
  asked: 'onAsk',
  replied: 'onReply',
  compacted: 'onCompaction',
}

function tellingsOf(event: AnyEvent, state: RunState): readonly Telling[] {
  const tellings: Telling[] = [['onEvent', event]]
  const hook = hookOf[event.type]
  if (hook) tellings.push([hook, event])
  if (event.type === 'started') tellings.push(['onStart', state])
  if (event.type === 'thinking') tellings.push(['onIterationStart', event.iteration])
  if (event.type === 'rested') {
    tellings.push(['onSignal', event.signal])
    if (isEnd(event.signal.type)) tellings.push(['onFinish', event.signal])
  }
  if (endsIteration(event, state)) tellings.push(['onIterationEnd', event.iteration])
  return tellings
}

const isEnd = (type: string): boolean => type === 'answer' || type === 'failed' || type === 'stopped'

/** A turn is over with its last observation, or with the thought itself when it called nothing. */
const endsIteration = (
  event: AnyEvent,
  state: RunState,
): event is Extract<AnyEvent, { type: 'thought' | 'observed' }> =>
  (event.type === 'thought' || event.type === 'observed') && openCalls(state).length === 0
