import { useSyncExternalStore } from 'react'
import { type Address, linkTo } from './address.ts'
import type { PlaygroundState } from './PlaygroundState.ts'
import { usePlayground } from './usePlayground.ts'

type Shown = Pick<PlaygroundState, 'shown' | 'selectedEvent' | 'travelledTo' | 'compared'>

/** The address of what the page shows. */
export function shownAddress({ shown, selectedEvent, travelledTo, compared }: Shown): Address {
  if (compared) return { type: 'comparison', a: compared.a, b: compared.b }
  if (shown === undefined) return { type: 'new' }
  return { type: 'run', runId: shown, event: selectedEvent, at: travelledTo }
}

/** Returns what the address names over the page, and a function that leads back to the address of what is below. */
export function useLinked<T>(read: (hash: string) => T | undefined): readonly [T | undefined, () => void] {
  const { store } = usePlayground()
  const hash = useSyncExternalStore(followHash, () => (read(location.hash) === undefined ? '' : location.hash))
  const close = (): void => {
    if (read(location.hash) !== undefined) location.hash = linkTo(shownAddress(store.getState()))
  }
  return [read(hash), close]
}

function followHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
