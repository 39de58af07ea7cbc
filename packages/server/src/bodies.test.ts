import { agent } from '@interleave/core'
import { newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { readText } from './bodies.ts'
import type { Handler } from './createHandler.ts'
import { nodeListener } from './node/nodeListener.ts'
import type { NodeRequest } from './node/toRequest.ts'

const guide = agent({ name: 'guide', model: scriptedModel('Hello.') })
const headers = { authorization: 'ada', 'content-type': 'application/json' }
const start = (body = JSON.stringify({ agent: 'guide', input: 'Hi' })): Request =>
  new Request(`https://edge.test/v1/${newRun()}`, { method: 'POST', headers, body })

/** Hides the stream of a request, which Firefox does not have. */
function asInFirefox(request: Request): Request {
  Object.defineProperty(request, 'body', { value: undefined })
  return request
}

it('reads the body of a request in a browser whose requests have no stream', async () => {
  const response = await openHandler([guide])(asInFirefox(start()))

  expect([response.status, await response.json()]).toEqual([201, { runId: expect.any(String), length: 2 }])
})

it('bounds the body of such a request too, by its length and by what arrives', async () => {
  const large = asInFirefox(start('é'.repeat(60)))
  const announced = asInFirefox(new Request(start(), { headers: { 'content-length': '120' } }))
  const arrayBuffer = vi.spyOn(announced, 'arrayBuffer')

  for (const request of [large, announced])
    await expect(readText(request, 100)).rejects.toMatchObject({ code: 'too_large' })
  expect(arrayBuffer).not.toHaveBeenCalled()
  await expect(readText(asInFirefox(start('é'.repeat(50))), 100)).resolves.toBe('é'.repeat(50))
})

/** Requests whose body a framework has read before the handler gets them. */
const readBefore: Readonly<Record<string, (handler: Handler) => Promise<Response>>> = {
  async parsed(handler) {
    const request = start()
    await request.json()
    return handler(request)
  },
  async 'parsed in Firefox'(handler) {
    const request = start()
    await request.json()
    return handler(asInFirefox(request))
  },
  async locked(handler) {
    const request = start()
    request.body?.getReader()
    return handler(request)
  },
  ended: (handler) =>
    new Promise((resolve) => {
      const listener = nodeListener(async (request) => {
        const response = await handler(request)
        resolve(response.clone())
        return response
      })
      const rawHeaders = Object.entries(headers).flat()
      const request: NodeRequest = {
        ...{
          method: 'POST',
          url: `/v1/${newRun()}`,
          headers: { host: 'edge.test', 'content-length': '40' },
          rawHeaders,
        },
        ...{ socket: {}, readableEnded: true, on() {}, pause() {}, resume() {} },
      }
      const ignored = (): boolean => true
      const { response } = {
        response: { headersSent: false, writableFinished: false, on: ignored, writeHead: ignored, write: ignored },
      }
      listener(request, { ...response, end: ignored, destroy: ignored })
    }),
}

it.each(Object.keys(readBefore))('says what to do about a body that was read before: %s', async (how) => {
  const response = await readBefore[how]?.(openHandler([guide]))

  expect(await response?.json()).toMatchObject({
    status: 400,
    code: 'request_invalid',
    detail: expect.stringContaining('Mount the handler before anything that reads bodies, such as express.json()'),
    retryable: false,
  })
})
