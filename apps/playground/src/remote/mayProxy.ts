import type { ServerState } from './probeServer.ts'

/** Whether models can be asked by way of the server. As long as nobody knows, they are offered. */
export const mayProxy = (server: ServerState): boolean =>
  server.type === 'there' ? server.hasProxy : !(server.type === 'missing' && server.why === 'none')
