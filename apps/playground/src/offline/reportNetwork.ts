import type { Playground } from '../run/Playground.ts'

/** Without a service worker, the parts of the page that are not loaded yet need the network. */
const isKeptOffline = (): boolean => Boolean(navigator.serviceWorker?.controller)

const kept = 'No network. The page, its runs and the demo planner continue without it; other models wait for it.'
const notKept =
  'No network. Runs that are open continue; parts of the page that were not loaded yet, and models elsewhere, wait for it.'

/** Reports when the network goes and comes back, and what works without it. */
export function reportNetwork({ notify, dismissNotice }: Pick<Playground, 'notify' | 'dismissNotice'>): () => void {
  const id = 'network'
  const notifyOffline = (): void =>
    notify({
      id,
      tone: 'plain',
      words: isKeptOffline() ? kept : notKept,
    })
  const notifyOnline = (): void => {
    dismissNotice(id)
    notify({ id: 'network back', tone: 'good', words: 'The network is back.' })
  }
  addEventListener('offline', notifyOffline)
  addEventListener('online', notifyOnline)
  return () => {
    removeEventListener('offline', notifyOffline)
    removeEventListener('online', notifyOnline)
  }
}
