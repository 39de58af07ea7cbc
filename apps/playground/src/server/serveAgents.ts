import { mkdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { Handler } from '@interleave/core/server'
import { type Connect, createServer, defaultServerConditions, type Plugin, type ViteDevServer } from 'vite'
import type { ApiOptions } from './createApi.ts'
import { answerNode } from './nodeRequests.ts'

interface Api {
  createApi(options: ApiOptions): Handler
}

const entry = path.join(import.meta.dirname, 'createApi.ts')
const conditions = ['@interleave/source', ...defaultServerConditions]

/**
 * Serves the agents of the page below `/api`, in dev and preview, from their sources. Runs are kept in a file beside what Vite
 * keeps, or in what PLAYGROUND_RUNS names.
 */
export function serveAgents(): Plugin {
  return {
    name: 'serve-agents',
    config: () => ({ ssr: { resolve: { conditions } } }),
    configureServer(server) {
      // An agent that is edited is another one from the next request on.
      const load = async (): Promise<Api> => (await server.ssrLoadModule(entry)) as Api
      server.middlewares.use('/api', answerWith(load, server.config.cacheDir))
    },
    configurePreviewServer({ middlewares, httpServer, config }) {
      let opening: Promise<ViteDevServer> | undefined
      const load = async (): Promise<Api> => {
        opening ??= openSources(config.root)
        return (await (await opening).ssrLoadModule(entry)) as Api
      }
      middlewares.use('/api', answerWith(load, config.cacheDir))
      httpServer.once('close', () => void opening?.then((sources) => sources.close()))
    },
  }
}

/** What reads the sources for as long as the preview lasts: some are fetched when a run first needs them. */
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

function answerWith(load: () => Promise<Api>, folder: string): Connect.NextHandleFunction {
  let made: { readonly by: Api['createApi']; readonly handle: Handler } | undefined
  const handler = async (): Promise<Handler> => {
    const { createApi: by } = await load()
    if (made?.by !== by) made = { by, handle: by({ runs: runsIn(folder), env: process.env }) }
    return made.handle
  }
  return async (request, response) => {
    try {
      await answerNode(await handler(), request, response)
    } catch (error) {
      console.error(error)
      fail(response)
    }
  }
}

function runsIn(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return process.env.PLAYGROUND_RUNS ?? path.join(folder, 'runs.sqlite')
}

function fail(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(500, { 'content-type': 'application/json' })
  response.end('{"title":"The server of the playground could not start. Its console says why."}')
}
