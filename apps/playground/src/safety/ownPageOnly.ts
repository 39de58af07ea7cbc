import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Connect, Plugin } from 'vite'

/**
 * Lets only the page itself use the servers of `vite`: any page in a browser here can send requests to a port of this
 * machine.
 */
export function ownPageOnly(): Plugin {
  return {
    name: 'own-page-only',
    enforce: 'pre',
    // Other pages must not read the answers.
    config: () => ({ server: { cors: false }, preview: { cors: false } }),
    configureServer: ({ middlewares }) => void middlewares.use(refuseOthers),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(refuseOthers),
  }
}

function refuseOthers({ headers }: IncomingMessage, response: ServerResponse, next: Connect.NextFunction): void {
  const problem = problemWith(headers)
  if (problem === undefined) next()
  else response.writeHead(403, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${problem}\n`)
}

/** Returns the problem with the origin of a request. A program that is not a browser sends none, and may do anything on this machine anyway. */
function problemWith(headers: IncomingHttpHeaders): string | undefined {
  const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  if (!isLoopback(host))
    return 'This server only answers by a name of this machine. Open the page by its localhost address.'
  if (origin !== undefined && origin !== `http://${host}`) return 'This server only answers its own page.'
  // A link may lead here. What else another page asks for needs no origin, such as a script.
  const isOwn = site === undefined || site === 'same-origin' || site === 'none'
  return isOwn || mode === 'navigate' ? undefined : 'This server only answers its own page.'
}

/** Returns true if a host, with or without its port, is this machine by its name. */
export function isLoopback(host: string): boolean {
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
