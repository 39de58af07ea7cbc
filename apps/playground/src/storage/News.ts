import type { Kill } from '../kill/Kill.ts'

/** The messages of the page's tabs about stored runs. */
export type News =
  /** The list of runs has changed. */
  | { readonly type: 'changed' }
  | { readonly type: 'deleted'; readonly runIds: readonly string[] }
  /** Another model was chosen for a run, and is in its record. */
  | { readonly type: 'reconnected'; readonly runId: string }
  | Killed

/** A run was killed in the middle of its work. */
export interface Killed {
  readonly type: 'killed'
  readonly runId: string
  readonly kill: Kill
  /** True if it is the owner that is asked to end. The next owner, which may have the run by now, continues it. */
  readonly isAsked: boolean
}

export interface NewsChannel {
  post(news: News): void
  /** Receives the news of the other tabs, not this one. */
  listen(listener: (news: News) => void): void
}

export function openNews(): NewsChannel {
  const channel = new BroadcastChannel('playground news')
  return {
    post: (news) => channel.postMessage(news),
    listen(listener) {
      channel.addEventListener('message', ({ data }) => listener(data))
    },
  }
}
