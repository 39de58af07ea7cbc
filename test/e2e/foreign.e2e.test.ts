import { type IncomingMessage, request } from 'node:http'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'

/** The page as it is developed. The built one is served already. */
let developed: ViteDevServer
beforeAll(async () => {
  const root = path.join(import.meta.dirname, '../../apps/playground')
  const optimizeDeps = { noDiscovery: true, include: [] }
  const port = await freePort()
  developed = await createServer({ root, logLevel: 'error', optimizeDeps, server: { port, ws: false } })
  await developed.listen()
})
afterAll(() => developed.close())

const servers = {
  'vite preview': () => new URL(inject('app')),
  vite: () => new URL(developed.resolvedUrls?.local[0] ?? ''),
}
const paths = ['/', '/llm/models', '/api/v1/runs', '/api/v1/openapi.json']

/** Node's own client, since `fetch` does not let one lie about the host and the origin. */
async function ask(url: URL, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { accept: 'text/html', ...headers } }, (answer) => resolve(answer.resume()))
      .on('error', reject)
      .end()
  })
}

const foreign: readonly [string, Readonly<Record<string, string>>][] = [
  ['a name that points here', { host: 'evil.example' }],
  ['a name that points here, with the port', { host: 'evil.example:4173' }],
  ['an address of a network', { host: '192.168.1.7' }],
  ['a name that begins like ours', { host: '127.0.0.1.nip.io' }],
  ['a page elsewhere', { origin: 'https://evil.example' }],
  ['a page on another port of this machine', { origin: 'http://127.0.0.1:9' }],
  ['a page that hides where it is', { origin: 'null' }],
  ['a script tag of a page elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a script tag of a page on another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
]

it.each(Object.keys(servers).flatMap((name) => foreign.map(([who, headers]) => [name, who, headers] as const)))(
  'row 20: %s refuses %s',
  async (name, _, headers) => {
    const server = servers[name as keyof typeof servers]()

    for (const way of paths) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { statusCode, headers: told } = await ask(new URL(way, server), headers, method)
        expect([statusCode, told['access-control-allow-origin']], `${method} ${way}`).toEqual([403, undefined])
      }
    }
  },
)

it.each(Object.keys(servers))(
  'row 20: %s answers its own page, however it is opened, and links that lead to it',
  async (name) => {
    const server = servers[name as keyof typeof servers]()
    const own = { origin: server.origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

    for (const headers of [{}, own, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }]) {
      const answer = await ask(server, headers)
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    }
  },
)

it.each(Object.keys(servers))('row 20: %s listens on this machine alone', async (name) => {
  const { port } = servers[name as keyof typeof servers]()
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)

  for (const { address } of outside) {
    await expect(ask(new URL(`http://${address}:${port}/`), {})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  }
})
