import { Agent, request } from 'node:http'
import * as http2 from 'node:http2'
import { connect } from 'node:net'
import { remoteAgent } from '@interleave/connect/http'
import { agent } from '@interleave/core'
import { newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { manualModel } from '@interleave/test-kit/manualModel'
import { afterAll, expect, it, vi } from 'vitest'
import type { Handler } from '../createHandler.ts'
import { type NodeListenerOptions, nodeListener } from './index.ts'

afterAll(closeServers)

const serve = async (handle: Handler, options?: NodeListenerOptions): Promise<number> =>
  (await listen(nodeListener(handle, options))).port

/** Returns the response to these bytes until the server or `until` ends it. */
function raw(port: number, text: string, until: (answer: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const end = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (until(answer)) end()
    })
    socket.on('close', end)
    socket.on('error', end)
    socket.write(text, 'latin1')
  })
}
const answerTo = (port: number, text: string): Promise<string> =>
  raw(port, text, (answer) => /^HTTP\/1\.1 (?!100)/m.test(answer) && answer.includes('\r\n\r\n'))
const statusOf = (answer: string): number => Number(/HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

const echo: Handler = async (request) =>
  Response.json({ url: request.url, method: request.method, body: await request.text() })
const bodyOf = (answer: string): { url: string; method: string; body: string } =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))

it.each([
  ['a host with a space', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['a port that is none', 'GET / HTTP/1.1\r\nHost: x:99999\r\n\r\n', 400],
  ['a host with a login', 'GET / HTTP/1.1\r\nHost: user@x\r\n\r\n', 400],
  ['a host with a path', 'GET /a HTTP/1.1\r\nHost: x/y\r\n\r\n', 400],
  ['an open bracket', 'GET / HTTP/1.1\r\nHost: [::1\r\n\r\n', 400],
  ['an empty host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ['an address of another scheme', 'GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an address with a login', 'GET http://a:b@x/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an address with a bad port', 'GET http://x:99999/ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a star', 'GET * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['options of the server', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 204],
  ['a body with bad chunks', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
])('answers %s', async (_, text, status) => {
  const port = await serve(echo)

  expect(statusOf(await answerTo(port, text))).toBe(status)

  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
})

it.each([
  ['a path', 'GET /a?b=c HTTP/1.1\r\nHost: app.example:8080\r\n\r\n', 'http://app.example:8080/a?b=c'],
  ['a path that looks like a host', 'GET //evil.example/a HTTP/1.1\r\nHost: x\r\n\r\n', 'http://x//evil.example/a'],
  ['a whole address', 'GET http://y.example/a HTTP/1.1\r\nHost: x\r\n\r\n', 'http://y.example/a'],
  ['IPv6', 'GET / HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n', 'http://[::1]:3000/'],
  ['HTTP/1.0 without a host', 'GET /a HTTP/1.0\r\n\r\n', 'http://localhost/a'],
  ['bytes that are no UTF-8', 'GET /%ff HTTP/1.1\r\nHost: x\r\nX-A: \xe9\r\n\r\n', 'http://x/%ff'],
])('understands %s', async (_, text, url) => {
  const port = await serve(echo)

  expect(bodyOf(await raw(port, text, (answer) => answer.includes('}'))).url).toBe(url)
})

it('has the origin that it is given', async () => {
  const port = await serve(echo, { origin: 'https://app.example' })

  const answer = await raw(port, 'GET /a HTTP/1.1\r\nHost: a b\r\n\r\n', (text) => text.includes('}'))

  expect(bodyOf(answer).url).toBe('https://app.example/a')
  expect(() => nodeListener(echo, { origin: 'app.example' })).toThrow('`origin`')
})

it('takes a body that waits to be asked for', async () => {
  const port = await serve(echo)
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n'

  const answer = await raw(port, `${head}hello`, (text) => text.includes('}'))

  expect(answer).toContain('100 Continue')
  expect(bodyOf(answer).body).toBe('hello')
})

it('notifies a handler of an upload that broke off', async () => {
  const broken = vi.fn()
  const port = await serve(async (request) => {
    await request.text().catch(broken)
    return new Response()
  })

  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf', () => socket.destroy())

  await expect.poll(() => broken).toHaveBeenCalled()
})

it('reads a body and an answer no faster than the other side', async () => {
  let made = 0
  let isCancelled = false
  const chunk = new Uint8Array(65_536)
  const port = await serve(async (request) => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        made++
        controller.enqueue(chunk)
      },
      cancel() {
        isCancelled = true
      },
    })
    request.signal.addEventListener('abort', () => aborted())
    return new Response(body)
  })
  const aborted = vi.fn()
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = made > 0 && made === before
        before = made
        return isStill
      },
      { interval: 200 },
    )
    .toBe(true)
  expect(made).toBeLessThan(1_000)

  socket.destroy()

  await expect.poll(() => isCancelled).toBe(true)
  expect(aborted).toHaveBeenCalledOnce()
})

it('does not abort a request that was answered', async () => {
  const aborted = vi.fn()
  const port = await serve(async ({ signal }) => {
    signal.addEventListener('abort', aborted)
    return new Response('Done.')
  })

  await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } }).then((response) => response.text())
  await fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())

  expect(aborted).not.toHaveBeenCalled()
})

it('answers 500 where a handler throws, and ends the connection where its body does', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const port = await serve(async ({ url }) => {
    if (url.endsWith('/throws')) throw new TypeError('secret')
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError('Broken.')),
    })
    return new Response(body)
  })

  const response = await fetch(`http://127.0.0.1:${port}/throws`)
  const broken = fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())

  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('secret')
  await expect(broken).rejects.toThrow()
  expect(error).toHaveBeenCalledOnce()
  error.mockRestore()
})

it('sends each cookie, and no body where there is none to send', async () => {
  const port = await serve(async () => {
    const headers = new Headers({ 'content-type': 'text/plain' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    return new Response('body', { headers })
  })

  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' })

  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(await response.text()).toBe('')
})

it('answers over HTTP/2', async () => {
  const { url } = await listen(http2.createServer({}, nodeListener(echo)))
  const client = http2.connect(url)

  const stream = client.request({ ':path': '/a', ':method': 'POST', ':authority': 'app.example' })
  stream.end('hello')
  let answer = ''
  for await (const chunk of stream) answer += chunk

  expect(JSON.parse(answer)).toEqual({ url: 'http://app.example/a', method: 'POST', body: 'hello' })
  client.close()
})

it('serves runs', async () => {
  const model = manualModel()
  const port = await serve(openHandler([agent({ name: 'a', model })]))
  const guide = remoteAgent({ url: `http://127.0.0.1:${port}/api`, name: 'a', headers: { authorization: 'ada' } })

  const run = guide.start('Go')
  await model.called(1)
  model.say('Half')
  await expect.poll(() => run.state.draft?.text).toBe('Half')
  model.end()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Half' })
  run.close()
})

it.each([60_000, 300_000, 2_000_000])(
  'answers the next request behind a body of %i bytes that no one read',
  async (bytes) => {
    const port = await serve(async ({ method }) => new Response(null, { status: method === 'POST' ? 401 : 200 }))
    const client = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (method: string, body?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request({ agent: client, port, method, path: '/' }, (answer) => {
          answer.resume()
          answer.on('end', () => resolve(answer.statusCode))
        })
        sent.on('error', reject)
        sent.end(body)
      })

    const first = await send('POST', 'a'.repeat(bytes))
    const second = await send('GET')
    client.destroy()

    expect([first, second]).toEqual([401, 200])
  },
)

it('closes the connection after it has refused a body without an end', async () => {
  const port = await serve(openHandler([agent({ name: 'a', model: manualModel() })]))
  const socket = connect(port, '127.0.0.1')
  let [answer, written] = ['', 0]
  socket.on('data', (data) => {
    answer += data.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const head = `POST /v1/${newRun()} HTTP/1.1\r\nHost: a\r\nAuthorization: ada\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const send = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(chunk)) written += chunk.length
    written += chunk.length
  }
  socket.on('drain', send)
  send()

  await closed

  expect(statusOf(answer)).toBe(413)
  expect(answer.toLowerCase()).toContain('connection: close')
  expect(written).toBeLessThan(160_000_000)
})

it('answers a client that sends the whole of a large body before it reads', async () => {
  const port = await serve(openHandler([agent({ name: 'a', model: manualModel() })]))
  const socket = connect(port, '127.0.0.1')
  const broken: string[] = []
  socket.on('error', ({ message }) => broken.push(message))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  const bytes = 40_000_000
  const head = `POST /v1/${newRun()} HTTP/1.1\r\nHost: a\r\nAuthorization: ada\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${bytes}\r\n\r\n`)
  const sent = new Promise<void>((resolve) => socket.write('x'.repeat(bytes), () => resolve()))
  await Promise.race([sent, closed])
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('latin1')
  })
  await closed

  expect(broken).toEqual([])
  expect(statusOf(answer)).toBe(413)
})
