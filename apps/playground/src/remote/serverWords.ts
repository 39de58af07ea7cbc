import type { ConnectionState } from '@interleave/core/internal'
import type { ServedPlace } from '../workers/Place.ts'
import type { ServerState } from './probeServer.ts'

/** Returns the availability of a server, in a word or two. */
export function serverWord(state: ServerState): { readonly words: string; readonly tone: 'good' | 'bad' | 'open' } {
  switch (state.type) {
    case 'there':
      return { words: 'ready', tone: 'good' }
    case 'missing':
      return { words: 'not there', tone: 'bad' }
    default:
      return { words: 'checking …', tone: 'open' }
  }
}

/** Returns the reason why there is no server, and what to do. */
export function missingWords({ why }: Extract<ServerState, { type: 'missing' }>, place: ServedPlace): string {
  switch (why) {
    case 'offline':
      return 'This device is offline. Look again when the network is back.'
    case 'down':
      return `No server answers there. ${starting[place]}, then look again.`
    case 'none':
      return `This page is served ${without[place]}`
  }
}

const starting: Readonly<Record<ServedPlace, string>> = {
  server: 'Start the server again',
  restate: 'Start it by “npm run demo:restate”',
}

const without: Readonly<Record<ServedPlace, string>> = {
  server: 'as files alone. “npm start” serves it with a server, and so does apps/edge once it is deployed.',
  restate: 'without Restate. “npm run demo:restate” serves it with one.',
}

export interface ConnectionWords {
  readonly words: string
  readonly tone: 'good' | 'bad' | 'open'
  /** The time of the next attempt, in milliseconds since the epoch. */
  readonly until?: number
}

/** Returns the connection of a run to the server, in words. */
export function connectionWords(connection: ConnectionState, isOnline: boolean): ConnectionWords {
  switch (connection.type) {
    case 'connected':
      return { words: 'Connected', tone: 'good' }
    case 'connecting':
      return { words: 'Connecting …', tone: 'open' }
    case 'waiting':
      if (!isOnline)
        return { words: 'Offline. The run continues there, and is shown again when the network is back', tone: 'bad' }
      // The server ends streams now and then, and the page reopens them.
      if (!connection.error) return { words: 'Connecting …', tone: 'open' }
      return { words: 'The server does not answer. Trying again', tone: 'bad', until: connection.until }
    case 'refused':
      return { words: 'The server refuses this page. Sign in again', tone: 'bad' }
  }
}
