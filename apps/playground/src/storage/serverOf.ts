import type { ServerRuns } from '../remote/serverRuns.ts'
import { isServed } from '../workers/Place.ts'
import type { PageStorage } from './PageStorage.ts'

/** The server that a run is kept on, and not here. Of one that was never opened here, it is what is left. */
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

/** The last one is asked by whoever opens the run. */
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
