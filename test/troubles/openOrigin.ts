import path from 'node:path'
import type { Shop } from '@interleave/test-kit/chaos/createShop'
import { type Listening, listen } from '@interleave/test-kit/listen'
import { bundlePages } from '../processes/bundlePages.ts'
import { fetchServer } from '../restate/fetchServer.ts'
import { forward } from './httpFront.ts'

let bundling: Promise<ReadonlyMap<string, string>> | undefined

/** Serves the page of the law, a shop, and the runs of a server if there is one, all as one origin. */
export async function openOrigin(shop: Shop, serverPort?: number): Promise<Listening> {
  bundling ??= bundle()
  const files = await bundling
  const sell = fetchServer(shop.fetch)
  return listen((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://origin.test')
    // The shop may be at another origin.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type')
    // A browser itself sends a request again if a connection breaks that it kept.
    if (pathname.startsWith('/shop/')) response.setHeader('connection', 'close')
    if (request.method === 'OPTIONS') return void response.writeHead(204, { 'access-control-max-age': '600' }).end()
    const file = files.get(pathname)
    if (file !== undefined) {
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8')
      response.end(file)
    } else if (pathname.startsWith('/shop/')) {
      sell.emit('request', request, response)
    } else if (pathname.startsWith('/api/') && serverPort) forward(request, response, { target: serverPort })
    else response.writeHead(404).end()
  })
}

async function bundle(): Promise<ReadonlyMap<string, string>> {
  const files = await bundlePages(path.join(import.meta.dirname, 'page'), ['page.ts', 'worker.ts'])
  const page = '<!doctype html><title>Troubles</title><script type="module" src="/page.js"></script>'
  return new Map([['/', page], ['/empty', '<!doctype html>'], ...files])
}
