import type { RunState } from '@interleave/core'
import { type Fields, fields } from './fields.ts'

/** Which fields a component has read so far, and whether two states look the same to it. */
export interface Tracker {
  isEqual(a: RunState, b: RunState): boolean
  /** The fields of the state as it is at the time of reading. */
  view(read: () => RunState): Fields
}

export function createTracker(): Tracker {
  const names = new Set<keyof Fields>()
  return {
    isEqual: (a, b) => [...names].every((name) => Object.is(fields[name](a), fields[name](b))),
    view(read) {
      const view = {}
      for (const [name, select] of Object.entries(fields)) {
        const get = (): unknown => {
          names.add(name as keyof Fields)
          return select(read())
        }
        Object.defineProperty(view, name, { get, enumerable: true, configurable: true })
      }
      return view as Fields
    },
  }
}
