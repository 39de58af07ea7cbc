import type { RunState } from '@interleave/core'
import { END } from '@interleave/core/graph'
import { latestSearch, watched } from './watched.ts'

type Seen = { readonly state: RunState }

/** Watches only if a connection was found. */
export const lookIfFound = (run: Seen): 'look' | typeof END =>
  latestSearch(run.state).connections.length > 0 ? 'look' : END

/** Repeats until it is time to ask, or until the user sends another message. */
export function askIfEnough(run: Seen): 'find' | 'ask' | 'wait' {
  if (run.state.pending.some(({ by }) => by === 'user')) return 'find'
  return watched.enough.get(run) ? 'ask' : 'wait'
}

/** Goes where the user wishes. */
export const asWished = (run: Seen): 'book' | 'wait' | typeof END =>
  (({ book: 'book', watch: 'wait', leave: END }) as const)[watched.wish.get(run)]
