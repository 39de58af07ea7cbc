import type { ChildProcess } from 'node:child_process'
import { remoteJournal } from '@interleave/connect/http'
import type { Event } from '@interleave/core'
import type { Shop } from '@interleave/test-kit/chaos/createShop'
import { closeServers } from '@interleave/test-kit/listen'
import { freePort } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import { type ServedShop, serveShop } from '../restate/serveShop.ts'
import { startShopServer } from '../servers/startShopServer.ts'
import { giveUpMs } from './giveUpMs.ts'
import { type HttpFront, startHttpFront } from './httpFront.ts'
import { modelTroubles, pageTroubles, shopTroubles } from './networkTroubles.ts'
import { clockTrouble, killTrouble, sleepTrouble } from './processTroubles.ts'
import { startTcpFront, type TcpFront } from './tcpFront.ts'
import type { Troubles } from './trouble.ts'

export interface WorldOptions {
  readonly seed: number
  /** The variable DATABASE of `shopServer`. */
  readonly database: string
  /** Whether the journal outlives the server process. */
  readonly isDurable: boolean
  readonly rule?: string
  /** What is between the server and its fronts, by the port that it is in front of; nothing by default. */
  readonly before?: (port: number, shop: Shop) => Promise<number>
  /** The same between the front of HTTP and that of TCP. */
  readonly outside?: (port: number) => Promise<number>
}

/** A server process with a shop and a provider, each behind fronts that can be troubled. */
export interface World {
  readonly shop: ServedShop
  /** The fronts before the server, from outside to inside. */
  readonly tcp: TcpFront
  readonly http: HttpFront
  readonly troubles: Troubles
  readonly readKept: (id: string) => Promise<readonly Event[]>
  close(): Promise<void>
}

export const user = { authorization: 'ida' }

/** The times of a client that does not wait as long as a user may. */
export const timeouts = { slowAfterMs: 1_000, requestMs: 3_000 }

export async function openWorld(options: WorldOptions): Promise<World> {
  const { seed, database, isDurable, rule = '', before, outside } = options
  const shop = await serveShop({ seed, ms: 40 })
  const modelHttp = await startHttpFront(Number(new URL(shop.url).port))
  const modelTcp = await startTcpFront(modelHttp.port)
  const shopTcp = await startTcpFront(Number(new URL(shop.url).port))
  const port = await freePort()
  const shopUrl = `http://127.0.0.1:${shopTcp.port}`
  const env = {
    DATABASE: database,
    SHOP: shopUrl,
    PATIENCE_MS: `${giveUpMs}`,
    MODEL: `http://127.0.0.1:${modelTcp.port}`,
    RULE: rule,
  }
  const server = {
    child: undefined as unknown as ChildProcess,
    async start() {
      server.child = await startShopServer(port, { ...env, QUERY_MS: '1000', TAKEOVER_MS: '0', QUIET: 'yes' })
    },
  }
  await server.start()
  const http = await startHttpFront((await before?.(port, shop)) ?? port)
  const tcp = await startTcpFront((await outside?.(http.port)) ?? http.port)
  const journal = remoteJournal({ url: `http://127.0.0.1:${port}`, headers: user })
  return {
    shop,
    tcp,
    http,
    troubles: [
      ...pageTroubles(tcp, http),
      ...modelTroubles(modelTcp, modelHttp),
      ...shopTroubles(shopTcp),
      sleepTrouble('the server sleeps', () => server.child.pid ?? 0, 3_000),
      clockTrouble((ms) => server.child.send(ms)),
      ...(isDurable ? [killTrouble(server, 3_000)] : []),
    ],
    readKept: async (id) => journal.read(id),
    async close() {
      await kill(server.child)
      for (const front of [tcp, modelTcp, shopTcp]) await front.close()
      await closeServers()
    },
  }
}
