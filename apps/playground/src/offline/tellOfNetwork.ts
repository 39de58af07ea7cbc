import type { Playground } from '../run/Playground.ts'

/** Says when the network goes and comes back, and what goes on without it. */
export function tellOfNetwork({ notify, dismissNotice }: Pick<Playground, 'notify' | 'dismissNotice'>): () => void {
  const id = 'network'
  const go = (): void =>
    notify({
      id,
      tone: 'plain',
      words: 'No network. The page, its runs and the demo planner go on without one; other models wait for it.',
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
