import type { Playground } from '../run/Playground.ts'

/** Without a service worker, what the page has not loaded yet needs the network. */
const isKeptOffline = (): boolean => Boolean(navigator.serviceWorker?.controller)

const kept = 'No network. The page, its runs and the demo planner continue without one; other models wait for it.'
const notKept =
  'No network. Runs that are open continue; parts of the page that were not loaded yet, and models elsewhere, wait for it.'

/** Reports when the network goes and comes back, and what works without it. */
export function tellOfNetwork({ notify, dismissNotice }: Pick<Playground, 'notify' | 'dismissNotice'>): () => void {
  const id = 'network'
  const go = (): void =>
    notify({
      id,
      tone: 'plain',
      words: isKeptOffline() ? kept : notKept,
    })
  const come = (): void => {
    dismissNotice(id)
    notify({ id: 'network back', tone: 'good', words: 'The network is back.' })
  }
  addEventListener('offline', go)
  addEventListener('online', come)
  return () => {
    removeEventListener('offline', go)
    removeEventListener('online', come)
  }
}
