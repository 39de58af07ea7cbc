import type { RunState } from '@interleave/core'
import { END } from '@interleave/core/graph'
import { foundConnections } from './foundConnections.ts'
import { watched } from './watched.ts'

type Seen = { readonly state: RunState }

/** Watches only where something was found. */
export const lookIfFound = (run: Seen): string => (foundConnections(run.state).length > 0 ? 'look' : END)

/** Goes round until it is time to ask. */
export const askIfEnough = (run: Seen): string => (watched.enough.get(run) ? 'ask' : 'wait')

/** Goes where the user wishes. */
export const asWished = (run: Seen): string => ({ book: 'book', watch: 'wait', leave: END })[watched.wish.get(run)]
