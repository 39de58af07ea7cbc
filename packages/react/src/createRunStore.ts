import type { Run, RunState } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Frame, nextFrame } from './nextFrame.ts'

/** A run as a zustand store that can only be read, so `useStore` and other bindings of zustand take it too. */
export type RunStore = Pick<StoreApi<RunState>, 'getState' | 'getInitialState' | 'subscribe'>

export interface RunStoreOptions {
  /** When to tell the subscribers; by default with the next animation frame. Counts for the first call per run. */
  readonly frame?: Frame
}

const stores = new WeakMap<Run, RunStore>()

/**
 * The store of a run, always the same one. It tells its subscribers at most once per frame, and at once when the run asks,
 * is answered or rests. It listens to the run only while somebody listens to it.
 */
export function createRunStore(run: Run, { frame = nextFrame }: RunStoreOptions = {}): RunStore {
  const known = stores.get(run)
  if (known) return known
  const store = mirror(run, frame)
  stores.set(run, store)
  return store
}

function mirror(run: Run, frame: Frame): RunStore {
  const store = createStore<RunState>(() => run.state)
  const { publish, hear, forget } = createPublisher(() => store.setState(run.state, true), frame)
  let subscribers = 0
  let detach = (): void => {}
  let initial: RunState | undefined

  const leave = (): void => {
    if (--subscribers > 0) return
    detach()
    forget()
  }
  return {
    // Between two frames every reader sees the same state; without a subscriber nothing keeps it up to date.
    getState: () => (subscribers > 0 ? store.getState() : run.state),
    // What a server renders is the state as it is then, and hydration has to find it again.
    getInitialState: () => initial ?? run.state,
    subscribe(listener) {
      if (subscribers++ === 0) {
        publish()
        initial ??= run.state
        detach = run.subscribe(hear)
      }
      const end = store.subscribe((state, previous) => listener(state, previous))
      return once(() => {
        end()
        leave()
      })
    },
  }
}

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
