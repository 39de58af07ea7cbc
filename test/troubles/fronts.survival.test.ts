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

it('leaves out none in continuous integration', () => {
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
})
