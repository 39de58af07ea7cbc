/** Where the server of the page is: beside the page itself. */
export const serverUrl = '/api'

/** The same, as a person reads it. */
export const serverName = (): string => new URL(serverUrl, location.origin).href.replace(/^https?:\/\//, '')
