import type { Run, RunState } from '@interleave/core'
import { type ConnectionState, checkRun, initialState } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Frame, guarded, nextFrame } from './frames.ts'

/** Where a run executes: in this tab, in another one, or in none for a moment. */
export type RunOwner = 'here' | 'elsewhere' | 'nobody'

export interface RunStoreOptions {
  /** Schedules notifications; the next animation frame by default. Only the first call for a run sets it. */
  readonly frame?: Frame
}

type Listener = (state: RunState, previous: RunState) => void
type AnyRun = Run & { readonly owner?: RunOwner; readonly connection?: ConnectionState }

const immediate: ReadonlySet<AnyEvent['type']> = /* @__PURE__ */ new Set([
  'asked',
  'replied',
  'withdrawn',
  'settled',
  'sending',
])

/** A run as every hook reads it. It has the interface of a read-only zustand store. */
export class RunStore {
  readonly #run: AnyRun | undefined
  readonly #frame: Frame
  /** The latest published state. A change of owner or connection publishes the same state again. */
  readonly #published: StoreApi<{ readonly state: RunState }>
  #subscribers = 0
  /** The state to hydrate with: hydration must find what the server rendered, even if the run has progressed. */
  readonly #initial: RunState | undefined
  #isScheduled = false
  #cancelFrame: (() => void) | undefined
  #unsubscribe: (() => void) | undefined

  constructor(run: Run | undefined, frame: Frame) {
    this.#run = run
    this.#frame = frame
    this.#published = createStore(() => ({ state: this.#current }))
    this.#initial = typeof document === 'undefined' ? undefined : this.#current
  }

  /** Returns the state as of the latest notification, so that all readers between two frames see the same one. */
  readonly getState = (): RunState => (this.#subscribers > 0 ? this.#published.getState().state : this.#current)

  /** Returns the state to hydrate with. */
  readonly getInitialState = (): RunState => this.#initial ?? this.#current

  /** Where the run executes; undefined without a run. */
  get owner(): RunOwner | undefined {
    return this.#run && (this.#run.owner ?? 'here')
  }

  /** The connection to the run's server; undefined for a run without one. */
  get connection(): ConnectionState | undefined {
    return this.#run?.connection
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    if (this.#subscribers++ === 0) this.#attach()
    const end = this.#published.subscribe(({ state }, previous) => guarded(() => listener(state, previous.state)))
    let isSubscribed = true
    return () => {
      if (!isSubscribed) return
      isSubscribed = false
      end()
      if (--this.#subscribers === 0) this.#detach()
    }
  }

  get #current(): RunState {
    return this.#run?.state ?? initialState
  }

  #attach(): void {
    this.#published.setState({ state: this.#current })
    this.#unsubscribe = this.#run?.subscribe(({ type }) => {
      if (immediate.has(type)) this.#publish()
      else if (type === 'owned' || type === 'connection') this.#published.setState({ state: this.getState() })
      else this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#cancelFrame = this.#frame(() => this.#publish())
  }

  #detach(): void {
    this.#unsubscribe?.()
    this.#cancel()
  }

  #publish(): void {
    this.#cancel()
    if (this.getState() !== this.#current) this.#published.setState({ state: this.#current })
  }

  #cancel(): void {
    this.#isScheduled = false
    this.#cancelFrame?.()
  }
}

const stores = new WeakMap<Run, RunStore>()
const noStore = /* @__PURE__ */ new RunStore(undefined, nextFrame)

/**
 * Returns the store of a run, always the same one. It notifies subscribers at most once per frame, and immediately when
 * the run asks, receives a reply or settles. It listens to the run only while it has subscribers.
 */
export function createRunStore(run: Run, { frame }: RunStoreOptions = {}): RunStore {
  checkRun(run, 'createRunStore()')
  return storeOf(run, frame)
}

/** Returns the store of a run, or an empty one without a run. */
export function storeOf(run: Run | undefined, frame: Frame = nextFrame): RunStore {
  if (!run) return noStore
  const store = stores.get(run) ?? new RunStore(run, frame)
  stores.set(run, store)
  return store
}
