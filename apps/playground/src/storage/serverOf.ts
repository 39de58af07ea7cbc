import type { ServerRuns } from '../remote/serverRuns.ts'
import { isServed } from '../workers/Place.ts'
import type { PageStorage } from './PageStorage.ts'

/** Returns the server that stores a run. A run that is not stored here, and was never opened here, is on a server. */
export async function serverOf(
  { records, journal, servers }: PageStorage,
  runId: string,
): Promise<ServerRuns | undefined> {
  const known = Object.values(servers ?? {}).filter(({ code }) => code.read() !== undefined)
  if (known.length === 0) return undefined
  const record = await records.get(runId)
  const place = record && (record.place ?? 'page')
  if (place !== undefined) return isServed(place) ? servers?.[place] : undefined
  if ((await journal.read(runId)).length > 0) return undefined
  return known.length === 1 ? known[0] : firstWith(known, runId)
}

/** The last one is not asked: opening the run asks it. */
async function firstWith(servers: readonly ServerRuns[], runId: string): Promise<ServerRuns | undefined> {
  for (const server of servers.slice(0, -1)) {
    const has = await server.agentOf(runId).then(
      () => true,
      () => false,
    )
    if (has) return server
  }
  return servers.at(-1)
}
