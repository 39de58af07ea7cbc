import { type Ask, type Failure, type RunState, type ScratchpadEntry, type Signal, scratchpad } from '@interleave/core'
import { asksOf, type Draft, draftOf, type RunStatus, type RunUsage, statusOf, usageOf } from './selections.ts'

/** The fields that `useReAct` returns. Reading a field makes the component render when it changes. */
export interface Fields<Output = unknown> {
  readonly state: RunState
  readonly status: RunStatus['status']
  /** The signal of a paused or finished run; undefined while it runs. */
  readonly signal: Signal<Output> | undefined
  /** The output of the latest answer; undefined while the run works on the next one. */
  readonly answer: Output | undefined
  readonly scratchpad: readonly ScratchpadEntry[]
  readonly usage: RunUsage
  readonly asks: readonly Ask[]
  readonly draft: Draft | undefined
  readonly isWorking: boolean
  /** Why the run failed, or could not be attached to. */
  readonly error: Failure | undefined
}

/** Each of them gives the same value for the same state. */
const fields: { readonly [Name in keyof Fields]: (state: RunState) => Fields[Name] } = {
  state: (state) => state,
  status: (state) => statusOf(state).status,
  signal: ({ rest }) => rest,
  answer: ({ rest }) => (rest?.type === 'answer' ? rest.output : undefined),
  scratchpad,
  usage: usageOf,
  asks: asksOf,
  draft: draftOf,
  isWorking: (state) => statusOf(state).status === 'working',
  error: ({ rest }) => (rest?.type === 'failed' ? rest.error : undefined),
}

/** Which fields a component has read so far, and whether two states look the same to it. */
interface Tracker {
  /** Selects a state to be drawn. */
  look(state: RunState): RunState
  isEqual(a: RunState, b: RunState): boolean
  /** The fields of the state that was looked at last. */
  view(): Fields
}

export function createTracker(first: RunState): Tracker {
  const names = new Set<keyof Fields>()
  // Ahead of what was drawn last by fields that nobody has read. Reading one of these for the first time shows it as it is now.
  let latest = first
  return {
    look(state) {
      latest = state
      return state
    },
    isEqual: (a, b) => [...names].every((name) => Object.is(fields[name](a), fields[name](b))),
    view() {
      const view = {}
      for (const [name, select] of Object.entries(fields)) {
        const get = (): unknown => {
          names.add(name as keyof Fields)
          return select(latest)
        }
        Object.defineProperty(view, name, { get, enumerable: true, configurable: true })
      }
      return view as Fields
    },
  }
}
