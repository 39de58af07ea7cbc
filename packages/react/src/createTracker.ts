import type { RunState } from '@interleave/core'
import { type Fields, fields } from './fields.ts'

/** Which fields a component has read so far, and whether two states look the same to it. */
export interface Tracker {
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
