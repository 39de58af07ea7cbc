import type { AnyEvent } from '../event.ts'
import { openCalls } from '../openCalls.ts'
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

type Hook = () => unknown

/** Calls the hooks of one event. A promise only if one of them gave one. */
function tell(observer: Observer, event: AnyEvent, state: RunState): Promise<void> | undefined {
  const hooks = hooksOf(observer, event, state)
  for (let i = 0; i < hooks.length; i++) {
    const result = attempt(observer, hooks[i])
    if (result) return finish(observer, result, hooks.slice(i + 1))
  }
  return undefined
}

async function finish(observer: Observer, first: Promise<void>, rest: readonly Hook[]): Promise<void> {
  await first
  for (const hook of rest) await attempt(observer, hook)
}

function attempt(observer: Observer, hook: Hook | undefined): Promise<void> | undefined {
  try {
    const result = hook?.()
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
    else if (typeof reportError === 'function') reportError(error)
    else console.error(error)
  } catch {
    // An observer whose own error hook throws has nobody left to tell.
  }
}

function hooksOf(observer: Observer, event: AnyEvent, state: RunState): Hook[] {
  const hooks: Hook[] = []
  const add = (hook: Hook | undefined): void => {
    if (hook) hooks.push(hook)
  }
  add(observer.onEvent && (() => observer.onEvent?.(event, state)))
  switch (event.type) {
    case 'started':
      add(observer.onStart && (() => observer.onStart?.(state)))
      break
    case 'thinking':
      add(observer.onIterationStart && (() => observer.onIterationStart?.(event.iteration, state)))
      break
    case 'thought':
      add(observer.onThought && (() => observer.onThought?.(event, state)))
      break
    case 'called':
      add(observer.onAction && (() => observer.onAction?.(event, state)))
      break
    case 'observed':
      add(observer.onObservation && (() => observer.onObservation?.(event, state)))
      break
    case 'asked':
      add(observer.onAsk && (() => observer.onAsk?.(event, state)))
      break
    case 'replied':
      add(observer.onReply && (() => observer.onReply?.(event, state)))
      break
    case 'compacted':
      add(observer.onCompaction && (() => observer.onCompaction?.(event, state)))
      break
    case 'rested':
      add(observer.onSignal && (() => observer.onSignal?.(event.signal, state)))
      if (isEnd(event.signal.type)) add(observer.onFinish && (() => observer.onFinish?.(event.signal, state)))
      break
  }
  if (endsIteration(event, state))
    add(observer.onIterationEnd && (() => observer.onIterationEnd?.(event.iteration, state)))
  return hooks
}

const isEnd = (type: string): boolean => type === 'answer' || type === 'failed' || type === 'stopped'

/** A turn is over with its last observation, or with the thought itself when it called nothing. */
const endsIteration = (
  event: AnyEvent,
  state: RunState,
): event is Extract<AnyEvent, { type: 'thought' | 'observed' }> =>
  (event.type === 'thought' || event.type === 'observed') && openCalls(state).length === 0
