import { useSyncExternalStore } from 'react'

/** What a hook needs of a run: the state as it is, and word of every change. */
export interface Observable<State> {
  readonly state: State
  subscribe(listener: () => void): () => void
}

/** The state of a run, rendered anew with each change of it. */
export function useRunState<State>(run: Observable<State>): State {
  return useSyncExternalStore(
    (listener) => run.subscribe(listener),
    () => run.state,
    () => run.state,
  )
}
