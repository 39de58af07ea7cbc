import { type Crew, createCrew } from './createCrew.ts'
import { type Gate, openGate } from './openGate.ts'
import { type ServedShop, serveShop } from './serveShop.ts'
import type { RestateServer } from './startRestate.ts'
import type { WorkerSettings } from './startWorker.ts'

/** Restate, workers behind a door, and the shop that they buy in. */
export interface Trial<Server> {
  readonly server: Server
  readonly shop: ServedShop
  readonly gate: Gate
  readonly crew: Crew
  close(): Promise<void>
}

export interface TrialOptions<Server> extends Pick<WorkerSettings, 'mode' | 'rule' | 'isQuick' | 'lossy'> {
  readonly server: Promise<Server>
  readonly seed: number
}

/** Milliseconds that an answer of the shop takes at most. */
const ms = 60

export async function openTrial<Server extends Pick<RestateServer, 'ingress' | 'register' | 'close'>>({
  seed,
  ...options
}: TrialOptions<Server>): Promise<Trial<Server>> {
  const [shop, gate, server] = await Promise.all([serveShop({ seed, ms }), openGate(), options.server])
  const { mode, rule, isQuick = false, lossy } = options
  const crew = await createCrew(gate, {
    ...{ ingress: server.ingress, shop: shop.url, turns: 3, isQuick },
    ...(mode && { mode }),
    ...(rule !== undefined && { rule }),
    ...(lossy !== undefined && { lossy }),
  })
  await server.register(gate.url, mode)
  return {
    ...{ server, shop, gate, crew },
    async close() {
      await crew.close()
      gate.close()
      shop.close()
      await server.close()
    },
  }
}
