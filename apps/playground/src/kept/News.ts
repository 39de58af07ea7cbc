import type { Kill } from '../kill/Kill.ts'

/** The messages of the page's tabs about stored runs. */
export type News =
  /** The list of runs is another one now. */
  | { readonly type: 'changed' }
  | { readonly type: 'deleted'; readonly runIds: readonly string[] }
  /** Another model was chosen for a run, and stands in its record. */
  | { readonly type: 'reconnected'; readonly runId: string }
  /** Tells the owner of the run to end in the middle of its work. */
  | { readonly type: 'killed'; readonly runId: string; readonly kill: Kill }

export interface NewsChannel {
  tell(news: News): void
  /** Hears the other tabs, not this one. */
  hear(listener: (news: News) => void): void
}

export function openNews(): NewsChannel {
  const channel = new BroadcastChannel('playground news')
  return {
    tell: (news) => channel.postMessage(news),
    hear(listener) {
      channel.addEventListener('message', ({ data }) => listener(data))
    },
  }
}
