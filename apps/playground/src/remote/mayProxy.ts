import type { ServerState } from './probeServer.ts'

/** Returns true if the server passes on requests to models. As long as that is unknown, models are offered. */
export const mayProxy = (server: ServerState): boolean =>
  server.type === 'there' ? server.hasProxy : !(server.type === 'missing' && server.why === 'none')
