import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { answerNode } from './nodeRequests.ts'

it.each(['POST', 'PUT'])('hands the body of a %s on, and the answer back', async (method) => {
  const server = createServer((incoming, outgoing) => {
    const handle = async (request: Request): Promise<Response> =>
      new Response(`${request.method} ${await request.text()}`, { status: 201, headers: { 'x-asked': request.url } })
    void answerNode(handle, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/runs?limit=1`

  const response = await fetch(url, { method, body: 'Hello' })

  expect([response.status, await response.text()]).toEqual([201, `${method} Hello`])
  expect(response.headers.get('x-asked')).toBe(url)
  server.close()
})

it('tells who answers when nobody listens any more', async () => {
  let tell = (): void => {}
  const gone = new Promise<void>((resolve) => {
    tell = resolve
  })
  const server = createServer((incoming, outgoing) => {
    const handle = async (request: Request): Promise<Response> => {
      request.signal.addEventListener('abort', () => tell())
      return new Response(new ReadableStream())
    }
    void answerNode(handle, incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const leaving = new AbortController()
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { signal: leaving.signal })

  leaving.abort()

  await gone
  server.close()
})
