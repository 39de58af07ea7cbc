import { openChannel } from '../../channel.ts'

const nameOf = (database: string): string => `interleave/journal/${database}`

/** Notifies watchers of this database, in this page, other tabs and workers, that its list has changed. */
export function tellChange(database: string): void {
  if (typeof BroadcastChannel === 'undefined') return
  // A channel that stays open would keep the page from the back/forward cache.
  const channel = new BroadcastChannel(nameOf(database))
  channel.postMessage('changed')
  channel.close()
}

/** Calls the listener when the list of this database looks different. Returns a function that ends this. */
export function watchChanges(database: string, listener: () => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const { close } = openChannel(nameOf(database), { hear: listener, onAway() {}, onBack: listener })
  return close
}
