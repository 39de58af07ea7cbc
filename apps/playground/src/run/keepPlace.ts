import type { StoreApi } from 'zustand/vanilla'
import { isPlace } from '../workers/Place.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

const key = 'place'

/** Brings back where new runs are to work, and keeps it from now on. */
export function keepPlace(
  store: StoreApi<PlaygroundState>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
): () => void {
  // A browser may refuse storage. What is chosen then lasts as long as the page.
  try {
    const place = storage().getItem(key)
    if (isPlace(place)) store.setState({ place })
  } catch {}
  return store.subscribe(({ place }, before) => {
    if (place === before.place) return
    try {
      storage().setItem(key, place)
    } catch {}
  })
}
