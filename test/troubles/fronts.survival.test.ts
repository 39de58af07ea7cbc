import { connect } from 'node:http2'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, describe, expect, it } from 'vitest'
import { programsOf } from '../../scripts/find-programs.mjs'
import { frontsHere, startFront } from '../processes/startFront.ts'

let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
  await closeServers()
})

/** Asks a front of two servers for all that concerns some runs. Returns the servers that each run has reached. */
async function openTwo(kind: (typeof frontsHere)[number]) {
  const reached = new Map<string, Set<string>>()
  const serve = (name: string) =>
    listen((request, response) => {
      const [, id = ''] = /\/v1\/runs\/([^/?]+)/.exec(request.url ?? '') ?? []
      reached.set(id, (reached.get(id) ?? new Set()).add(name))
      response.end()
    })
  const [one, other] = [await serve('one'), await serve('other')]
  const front = await startFront(kind, one.port, { otherPort: other.port })
  const session = connect(front.url, { rejectUnauthorized: false })
  closing.push(async () => session.destroy(), front.close)
  const ask = async (method: string, path: string): Promise<void> => {
    const stream = session.request({ ':path': `/api/v1/runs${path}`, ':method': method })
    stream.end()
    for await (const _ of stream);
  }
  return { reached, ask }
}

/** Opens a connection of HTTP/2 to a front of a server that streams, and that counts what it gets. */
async function open(kind: (typeof frontsHere)[number]) {
  const { port } = await listen((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }).write('data: 1\n\n')
      return
    }
    let bytes = 0
    request.on('data', (data) => {
      bytes += data.length
    })
    request.on('end', () => response.end(`${bytes} bytes for ${request.headers['x-forwarded-proto']}`))
  })
  const front = await startFront(kind, port)
  const session = connect(front.url, { rejectUnauthorized: false })
  closing.push(async () => session.destroy(), front.close)
  return session
}

it('omits none in continuous integration', () => {
  if (programsOf().length > 0) expect(frontsHere).toEqual(['nginx', 'haproxy', 'caddy'])
})

describe.each(frontsHere)('%s, as the docs configure it', (kind) => {
  it('passes each event on over HTTP/2, whose stream stays open', async () => {
    const session = await open(kind)
    const stream = session.request({ ':path': '/' })
    const first = await new Promise((resolve) => stream.once('data', (data) => resolve(String(data))))

    expect(first).toBe('data: 1\n\n')
    expect(session.alpnProtocol).toBe('h2')
    expect(stream.closed).toBe(false)
  })

  it('accepts the largest body of a request', async () => {
    const session = await open(kind)
    const stream = session.request({ ':path': '/', ':method': 'POST' })
    stream.end(Buffer.alloc(14_000_000))
    let answer = ''
    for await (const data of stream) answer += data

    expect(answer).toBe('14000000 bytes for https')
  })

  it('sends all requests of a run to one of several servers', async () => {
    const { reached, ask } = await openTwo(kind)
    const ids = Array.from({ length: 16 }, () => crypto.randomUUID())

    await ask('GET', '?limit=2')
    for (const id of ids) {
      await ask('POST', `/${id}?client=c&tools=pay`)
      await ask('GET', `/${id}/events?from=0&client=c&tools=pay`)
      await ask('POST', `/${id}/answers?client=c`)
      await ask('POST', `/${id}/say`)
      await ask('POST', `/${id}/fork?of=${ids[0]}`)
      await ask('GET', `/${id}`)
    }

    expect(ids.map((id) => reached.get(id)?.size)).toEqual(ids.map(() => 1))
    expect(new Set(ids.flatMap((id) => [...(reached.get(id) ?? [])])).size).toBe(2)
    expect(reached.has('')).toBe(true)
  })
})
