import type { ServedPlace } from '../workers/Place.ts'

/** Where the servers of the page are: beside the page itself. */
export const serverUrls: Readonly<Record<ServedPlace, string>> = { server: '/api', restate: '/restate' }

/** The same, as a person reads it. */
export const serverName = (place: ServedPlace): string =>
  new URL(serverUrls[place], location.origin).href.replace(/^https?:\/\//, '')
