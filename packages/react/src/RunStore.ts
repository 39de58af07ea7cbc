import type { Run, RunState } from '@interleave/core'
import { type AnyEvent, fold } from '@interleave/core/observe'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Frame, guarded, nextFrame } from './frames.ts'

/** A run as a zustand store that can only be read, so `useStore` and other bindings of zustand take it too. */
export type RunStore = Pick<StoreApi<RunState>, 'getState' | 'getInitialState' | 'subscribe'>

export interface RunStoreOptions {
  /** When to tell the subscribers; by default with the next animation frame. Counts for the first call per run. */
  readonly frame?: Frame
}

const stores = new WeakMap<Run, RunStore>()

/**
 * Returns the store of a run, always the same one. It notifies subscribers at most once per frame, and immediately when
 * the run asks, receives a reply or settles. It listens to the run only while it has subscribers.
 */
export function createRunStore(run: Run, { frame = nextFrame }: RunStoreOptions = {}): RunStore {
  const known = stores.get(run)
  if (known) return known
  const store = mirror(run, frame)
  stores.set(run, store)
  return store
}

/** Everything in the state of no run is empty. */
const nothing = fold([])
const noStore: RunStore = { getState: () => nothing, getInitialState: () => nothing, subscribe: () => () => {} }

/** The store of a run, or of none. */
export const storeOf = (run: Run | undefined): RunStore => (run ? createRunStore(run) : noStore)

function mirror(run: Run, frame: Frame): RunStore {
  const store = createStore<RunState>(() => run.state)
  const { publish, hear, forget } = createPublisher(() => store.setState(run.state, true), frame)
  let subscribers = 0
  let detach = (): void => {}
  // A server renders the state as it is then. Hydration has to find that again, however far the run is meanwhile.
  const initial = isServer() ? undefined : run.state

  const leave = (): void => {
    if (--subscribers > 0) return
    detach()
    forget()
  }
  return {
    // Between two frames every reader sees the same state; without a subscriber nothing keeps it up to date.
    getState: () => (subscribers > 0 ? store.getState() : run.state),
    getInitialState: () => initial ?? run.state,
    subscribe(listener) {
      if (subscribers++ === 0) {
        publish()
        detach = run.subscribe(hear)
      }
      // One that throws must not keep the news from the others.
      const end = store.subscribe((state, previous) => guarded(() => listener(state, previous)))
      return once(() => {
        end()
        leave()
      })
    },
  }
}

const isServer = (): boolean => typeof document === 'undefined'

interface Publisher {
  publish(): void
  hear(event: AnyEvent): void
  forget(): void
}

function createPublisher(tell: () => void, frame: Frame): Publisher {
  let isAwaited = false
  let cancel = (): void => {}

  const forget = (): void => {
    isAwaited = false
    cancel()
  }
  const publish = (): void => {
    forget()
    tell()
  }
  const hear = ({ type }: AnyEvent): void => {
    if (type === 'asked' || type === 'replied' || type === 'withdrawn' || type === 'rested') publish()
    else if (!isAwaited) {
      isAwaited = true
      cancel = frame(publish)
    }
  }
  return { publish, hear, forget }
}

function once(callback: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    callback()
  }
}
