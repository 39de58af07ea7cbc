import type { AgentHandle, Failure, Run, RunState, Signal, ToolSet } from '@interleave/core'
import {
  type PartialOf,
  type Permission,
  partialOutput,
  type RunAsk,
  type ScratchpadEntry,
  scratchpad,
} from '@interleave/core/observe'
import {
  asksOf,
  type Draft,
  draftOf,
  permissionsOf,
  type RunStatus,
  type RunUsage,
  statusOf,
  usageOf,
} from './selections.ts'

/** The fields that `useReAct` returns. Reading a field makes the component render when it changes. */
export interface Fields<Output = unknown, Tools extends ToolSet = ToolSet> {
  readonly state: RunState
  readonly status: RunStatus['status']
  /** The signal of a paused or finished run; undefined while it runs. */
  readonly signal: Signal<Output> | undefined
  /** The output of the latest answer; undefined while the run works on the next one. */
  readonly answer: Output | undefined
  readonly scratchpad: readonly ScratchpadEntry[]
  readonly usage: RunUsage
  readonly asks: readonly RunAsk<Run<Output, Tools>>[]
  /** The permissions for later calls, oldest first. `revoke` takes one back. */
  readonly permissions: readonly Permission[]
  readonly draft: Draft | undefined
  /** The part of a typed answer that has arrived, while it streams. It is not validated yet. */
  readonly partialOutput: PartialOf<Output> | undefined
  readonly isWorking: boolean
  /** Why the run failed, or could not be loaded. */
  readonly error: Failure | undefined
}

/** Each selector returns the same value for the same state. */
const selectors: { readonly [Name in keyof Fields]: (state: RunState, agent: AgentHandle) => Fields[Name] } = {
  state: (state) => state,
  status: (state) => statusOf(state).status,
  signal: ({ signal }) => signal,
  answer: ({ signal }) => (signal?.type === 'answer' ? signal.output : undefined),
  scratchpad,
  usage: usageOf,
  asks: asksOf,
  permissions: permissionsOf,
  draft: draftOf,
  partialOutput,
  isWorking: (state) => statusOf(state).status === 'working',
  error: ({ signal }) => (signal?.type === 'failed' ? signal.error : undefined),
}
const names = Object.keys(selectors) as (keyof Fields)[]

/** Tracks the fields that a component has read, so that it renders only for those. */
export class FieldTracker {
  readonly #read = new Set<keyof Fields>()
  /**
   * The latest state, which may be newer than the rendered one in fields that were not read. A first read returns the
   * newest value.
   */
  #latest: RunState

  readonly #agent: () => AgentHandle
  /** The component reads the connection. */
  readsConnection = false

  constructor(state: RunState, agent: () => AgentHandle) {
    this.#latest = state
    this.#agent = agent
  }

  readonly selector = (state: RunState): RunState => {
    this.#latest = state
    return state
  }

  readonly isEqual = (a: RunState, b: RunState): boolean =>
    [...this.#read].every((name) => Object.is(selectors[name](a, this.#agent()), selectors[name](b, this.#agent())))

  /** Returns the fields of the latest state as getters that record what is read. */
  fields(): Fields {
    const fields = {}
    for (const name of names) {
      const get = (): unknown => {
        this.#read.add(name)
        return selectors[name](this.#latest, this.#agent())
      }
      Object.defineProperty(fields, name, { get, enumerable: true, configurable: true })
    }
    // Each name has a getter now.
    return fields as Fields
  }
}
