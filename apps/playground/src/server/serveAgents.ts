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

/** A path, and the handler of its requests, whose source is loaded at the first request. */
interface Mount {
  readonly at: string
  readonly source: string
  open(source: never, folder: string): Handler
}

const mounts: readonly Mount[] = [
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
      // Loads again at each request, so that an edited agent takes effect.
      const load = (file: string): Promise<unknown> => server.ssrLoadModule(file)
      for (const mount of mounts) server.middlewares.use(mount.at, answerWith(mount, load, server.config.cacheDir))
    },
    configurePreviewServer({ middlewares, httpServer, config }) {
      nameShop(httpServer)
      let opening: Promise<ViteDevServer> | undefined
      const load = async (file: string): Promise<unknown> => {
        opening ??= openSources(config.root)
        return (await opening).ssrLoadModule(file)
      }
      for (const mount of mounts) middlewares.use(mount.at, answerWith(mount, load, config.cacheDir))
      httpServer.once('close', () => void opening?.then((sources) => sources.close()))
    },
  }
}

/** Loads the sources. It stays open as long as the preview, since some are loaded when a run first needs them. */
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

/** Sets the address of the shop in the environment, for agents that work in a server and have no page. */
function nameShop(server: NonNullable<ViteDevServer['httpServer']> | PreviewServer['httpServer']): void {
  server.once('listening', () => {
    const found = server.address()
    if (found && typeof found === 'object') process.env[shopVariable] ??= `http://127.0.0.1:${found.port}${shopPath}`
  })
}

function answerWith(
  mount: Mount,
  load: (file: string) => Promise<unknown>,
  folder: string,
): Connect.NextHandleFunction {
  let made: { readonly of: unknown; readonly listener: Listener } | undefined
  const listener = async (): Promise<Listener> => {
    const of = await load(path.join(import.meta.dirname, mount.source))
    const { nodeListener } = (await load(path.join(import.meta.dirname, 'nodeListener.ts'))) as ListenerSource
    if (!made || made.of !== of) made = { of, listener: nodeListener(mount.open(of as never, folder)) }
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
