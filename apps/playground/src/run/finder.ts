import type { Event } from '@interleave/core'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { OpenRun } from './openRun.ts'

/** The state of a run when this tab last resumed it. */
export interface Found {
  readonly events: readonly Event[]
  /** True if it ran in another tab before, which has closed. */
  readonly isTakenOver: boolean
}

/** Records what a run was doing whenever this tab resumes it. */
export interface Finder {
  /** None of a run that began here. */
  readonly found: Pick<StoreApi<Found | undefined>, 'getState' | 'getInitialState' | 'subscribe'>
  /** Also records if another tab has it. `onHere` is called when that ends. */
  watch(run: OpenRun, onHere?: () => void): void
  find(events: readonly Event[]): void
  forget(): void
}

export function createFinder(): Finder {
  const found = createStore<Found | undefined>(() => undefined)
  let wasElsewhere = false
  return {
    found,
    watch(run, onHere) {
      wasElsewhere = run.owner === 'elsewhere'
      run.subscribe((event) => {
        if (event.type !== 'owned') return
        if (event.by === 'elsewhere') wasElsewhere = true
        if (event.by === 'here' && wasElsewhere) onHere?.()
      })
    },
    find(events) {
      found.setState({ events, isTakenOver: wasElsewhere }, true)
      wasElsewhere = false
    },
    forget: () => found.setState(undefined, true),
  }
}
