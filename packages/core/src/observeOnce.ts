import type { Observer, Run } from './run.ts'

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
