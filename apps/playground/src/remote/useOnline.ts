import { useSyncExternalStore } from 'react'

/** Returns true if the device has a network, as far as the browser knows. */
export const useOnline = (): boolean => useSyncExternalStore(follow, () => navigator.onLine)

function follow(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
