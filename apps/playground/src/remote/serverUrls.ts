import type { ServedPlace } from '../workers/Place.ts'

/** The addresses of the page's servers, next to the page itself. */
export const serverUrls: Readonly<Record<ServedPlace, string>> = { server: '/api', restate: '/restate' }

/** The address without its protocol, to show it. */
export const serverName = (place: ServedPlace): string =>
  new URL(serverUrls[place], location.origin).href.replace(/^https?:\/\//, '')
