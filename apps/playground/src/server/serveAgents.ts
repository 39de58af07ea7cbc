import { mkdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Handler } from '@interleave/server'
import {
  type Connect,
  createServer,
  defaultServerConditions,
  type Plugin,
  type PreviewServer,
  type ViteDevServer,
} from 'vite'
import { shopPath, shopVariable } from '../shop/shopAddress.ts'

/** The handler below a path, made of sources that are read at its first request. */
interface Door {
  readonly at: string
  readonly source: string
  open(source: never, folder: string): Handler
}

const doors: readonly Door[] = [
  {
    at: '/api',
    source: 'createApi.ts',
    open: ({ createApi }: typeof import('./createApi.ts'), folder) =>
      createApi({ ...filesIn(folder), env: process.env }),
  },
  {
    at: '/restate',
    source: 'restate/createRestateApi.ts',
    open: ({ createRestateApi }: typeof import('./restate/createRestateApi.ts')) => createRestateApi(process.env),
  },
  {
    at: shopPath,
    source: 'shop/createShop.ts',
    open: ({ createShop }: typeof import('./shop/createShop.ts')) =>
      createShop({
        at: shopPath,
        newId: () => crypto.randomUUID(),
        wait: (ms) => pause(ms),
        sandbox: async () => (await import('./shop/serveSandbox.ts')).sandboxAddress(),
      }),
  },
]
const conditions = ['@interleave/source', ...defaultServerConditions]

/** Serves the agents of the page in dev and preview: below `/api`, and with Restate also below `/restate`. */
export function serveAgents(): Plugin {
  return {
    name: 'serve-agents',
    config: () => ({ ssr: { resolve: { conditions } } }),
    configureServer(server) {
      if (server.httpServer) nameShop(server.httpServer)
      // An agent that is edited is another one from the next request on.
      const load = (file: string): Promise<unknown> => server.ssrLoadModule(file)
      for (const door of doors) server.middlewares.use(door.at, answerWith(door, load, server.config.cacheDir))
    },
    configurePreviewServer({ middlewares, httpServer, config }) {
      nameShop(httpServer)
      let opening: Promise<ViteDevServer> | undefined
      const load = async (file: string): Promise<unknown> => {
        opening ??= openSources(config.root)
        return (await opening).ssrLoadModule(file)
      }
      for (const door of doors) middlewares.use(door.at, answerWith(door, load, config.cacheDir))
      httpServer.once('close', () => void opening?.then((sources) => sources.close()))
    },
  }
}

/** The reader of the sources, which lasts as long as the preview: some are fetched when a run first needs them. */
const openSources = (root: string): Promise<ViteDevServer> =>
  createServer({
    configFile: false,
    root,
    appType: 'custom',
    logLevel: 'error',
    ssr: { resolve: { conditions } },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })

/** Agents that work in a server find the shop by the environment, since they have no page. */
function nameShop(server: NonNullable<ViteDevServer['httpServer']> | PreviewServer['httpServer']): void {
  server.once('listening', () => {
    const found = server.address()
    if (found && typeof found === 'object') process.env[shopVariable] ??= `http://127.0.0.1:${found.port}${shopPath}`
  })
}

function answerWith(door: Door, load: (file: string) => Promise<unknown>, folder: string): Connect.NextHandleFunction {
  let made: { readonly of: unknown; readonly listener: Listener } | undefined
  const listener = async (): Promise<Listener> => {
    const of = await load(path.join(import.meta.dirname, door.source))
    const { nodeListener } = (await load(path.join(import.meta.dirname, 'nodeListener.ts'))) as ListenerSource
    if (!made || made.of !== of) made = { of, listener: nodeListener(door.open(of as never, folder)) }
    return made.listener
  }
  return async (request, response) => {
    try {
      const answer = await listener()
      answer(request, response)
    } catch (error) {
      console.error(error)
      fail(response)
    }
  }
}

type ListenerSource = typeof import('./nodeListener.ts')
type Listener = ReturnType<ListenerSource['nodeListener']>

function filesIn(folder: string): { readonly runs: string; readonly ledger: string } {
  mkdirSync(folder, { recursive: true })
  const runs = process.env.PLAYGROUND_RUNS ?? path.join(folder, 'runs.sqlite')
  return { runs, ledger: runs === ':memory:' ? runs : path.join(path.dirname(runs), 'ledger.sqlite') }
}

function fail(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(500, { 'content-type': 'application/json' })
  response.end('{"title":"The server of the playground could not start. Its console says why."}')
}
