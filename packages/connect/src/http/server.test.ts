import { AgentError, localHost } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { type RemoteHeaders, Server } from './server.ts'

const signal = new AbortController().signal
/** Asks again at once. The limits of what does not answer keep their time. */
const host = {
  ...localHost,
  timer: (ms: number, callback: () => void) => localHost.timer(ms < 2_000 ? 0 : ms, callback),
}
const json = (data: unknown, status = 200) => new Response(JSON.stringify(data), { status })

/** A server that gives one answer after the other. */
function serverOf(headers: RemoteHeaders, ...answers: (() => Response | Promise<Response>)[]) {
  const asked: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    asked.push(`${url} ${new Headers(init.headers).get('authorization')}`)
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? json({})
  }
  return { asked, server: new Server({ url: '/api/', headers, fetch, host }) }
}
const problem = (status: number, code: string) => () => json({ code, detail: 'Why.' }, status)

it('asks for other headers, once, when those that it had are refused', async () => {
  const token = ({ isRefused }: { isRefused: boolean }) => ({ authorization: isRefused ? 'fresh' : 'old' })
  const { asked, server } = serverOf(token, problem(401, 'not_allowed'), () => json({ fine: true }))

  expect(await server.call('runs', { signal })).toEqual({ fine: true })
  expect(asked).toEqual(['/api/v1/runs old', '/api/v1/runs fresh'])
})

it('asks again where a token could not be fetched, and says so', async () => {
  let times = 0
  const offline = () => {
    if (times++ === 0) throw new TypeError('Failed to fetch')
    return { authorization: 'fresh' }
  }
  const signedOut = () => Promise.reject(new AgentError('not_allowed', 'Sign in first.'))
  const { asked, server } = serverOf(offline, () => json({ fine: true }))

  expect(await server.call('runs', { signal })).toEqual({ fine: true })
  expect(asked).toEqual(['/api/v1/runs fresh'])
  await expect(serverOf(signedOut).server.call('runs', { signal })).rejects.toThrow('Sign in first.')
  times = 0
  await expect(serverOf(offline).server.open('runs', { signal })).rejects.toMatchObject({
    code: 'remote_failed',
    message: 'The `headers` for "/api" failed: Failed to fetch',
  })
})

it('waits no longer for headers than for an answer', async () => {
  const silent = () => new Promise<never>(() => {})
  const given = AbortSignal.timeout(1)

  const [opened, called] = await Promise.allSettled([
    serverOf(silent).server.open('runs', { signal: given }),
    serverOf(silent).server.call('runs', { signal: given }),
  ])

  expect(opened).toMatchObject({ status: 'rejected', reason: { code: 'remote_failed' } })
  expect(called.status === 'rejected' && called.reason).toBe(given.reason)
})

it('asks again if a refusal breaks off before it says why', async () => {
  const broken = () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) })
    return new Response(body, { status: 403 })
  }
  const { asked, server } = serverOf({}, broken, problem(403, 'token_invalid'))

  await expect(server.call('runs', { signal })).rejects.toMatchObject({ code: 'token_invalid', status: 403 })
  expect(asked).toHaveLength(2)
})

it('gives up when the other ones are refused too, and where there are none', async () => {
  const asking = serverOf(async () => ({ authorization: 'x' }), problem(401, 'not_allowed'))
  const plain = serverOf({ authorization: 'x' }, problem(401, 'not_allowed'))

  await expect(asking.server.call('runs', { signal })).rejects.toMatchObject({ code: 'not_allowed', status: 401 })
  await expect(plain.server.call('runs', { signal })).rejects.toMatchObject({ code: 'not_allowed' })
  expect([asking.asked.length, plain.asked.length]).toEqual([2, 1])
})

it('says what to do when a page is answered, and does not ask again', async () => {
  const page = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const { asked, server } = serverOf({}, page)

  const failure = server.call('runs', { signal })

  await expect(failure).rejects.toMatchObject({ code: 'remote_failed', retryable: false })
  await expect(failure).rejects.toThrow('"/api" answers with a page')
  expect(asked).toHaveLength(1)
})

it('says what to check if there is no response, or one that no handler sends', async () => {
  const down = () => Promise.reject(new TypeError('Failed to fetch'))
  const lost = serverOf({}, () => new Response('Not found', { status: 404 }))
  const place = manualHost()
  const away = new Server({ url: '/api/', headers: {}, fetch: down, host: place })

  await expect(lost.server.call('runs', { signal })).rejects.toThrow('status 404. Is that its address')
  const calling = expect(away.call('runs', { signal })).rejects.toThrow('"/api" cannot be reached: Failed to fetch.')
  await place.advance(60_000)
  await calling
  await expect(away.open('runs', { signal })).rejects.toThrow('allowedOrigins has this page')
})

it('asks again for what may pass', async () => {
  const { asked, server } = serverOf(
    {},
    () => new Response('Later', { status: 503 }),
    problem(429, 'too_many'),
    () => json({ fine: true }),
  )

  await expect(server.call('runs', { signal })).rejects.toMatchObject({ code: 'too_many' })
  expect(asked).toHaveLength(2)
})

it.each([
  [{}, 60_000, 2],
  [{ requestMs: 90_000 }, 90_000, 1],
])('gives up a request that hangs with the timeouts %o after %d ms', async (timeouts, ms, times) => {
  const hangs = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const place = manualHost()
  let asked = 0
  const fetch = (_: string, init: RequestInit) => {
    asked++
    return hangs(init.signal as AbortSignal)
  }
  const server = new Server({ url: '/api', headers: {}, fetch, host: place }, timeouts)

  const failing = expect(server.call('runs', { signal })).rejects.toThrow('No answer in time')
  await place.advance(ms - 1)
  expect(place.timers).toBeGreaterThan(0)
  await place.advance(1)

  await failing
  expect([asked, place.timers]).toEqual([times, 0])
})

it('says of a command without an answer that it is not confirmed', async () => {
  const place = manualHost()
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const server = new Server({ url: '/api', headers: {}, fetch, host: place })

  const failing = expect(server.call('runs/r/reply', { method: 'POST', body: {}, signal })).rejects.toThrow(
    'Not confirmed: the server at "/api" has not answered within 60 seconds, so this may still take effect.',
  )
  await place.advance(60_000)

  await failing
})

it.each([
  ['another method', 'runs/r?client=c', problem(404, 'run_unknown')],
  ['a method of a command', '/say', problem(405, 'request_invalid')],
  ['a token', '/say', problem(401, 'not_allowed')],
])('says that a redirect has lost what was sent: %s', async (_, path, answer) => {
  const moved = () =>
    Object.defineProperties(answer(), { redirected: { value: true }, url: { value: 'https://b/api' } })
  const { asked, server } = serverOf({}, moved)

  const failure = server.call(path, { method: 'POST', body: {}, signal })

  await expect(failure).rejects.toMatchObject({ code: 'remote_failed', retryable: false })
  await expect(failure).rejects.toThrow('"/api" redirects to "https://b/api".')
  expect(asked).toHaveLength(1)
})

it('asks again where something else answers in place of a handler that was there', async () => {
  const page = () => new Response('<html>', { status: 403, headers: { 'content-type': 'text/html' } })
  const { asked, server } = serverOf(
    {},
    () => json({ fine: true }),
    page,
    page,
    () => json({ fine: true }),
  )
  await server.call('runs', { signal })

  expect(await server.call('runs', { signal })).toEqual({ fine: true })
  expect(asked).toHaveLength(4)
})

it('asks again where a front redirects to what a handler that was there does not have', async () => {
  const moved = () =>
    Object.defineProperties(problem(404, 'request_invalid')(), {
      redirected: { value: true },
      url: { value: 'https://b/login' },
    })
  const { asked, server } = serverOf(
    {},
    () => json({ fine: true }),
    moved,
    () => json({ fine: true }),
  )
  await server.call('runs', { signal })

  expect(await server.call('runs/r/say?key=k', { method: 'POST', body: {}, signal })).toEqual({ fine: true })
  expect(asked).toHaveLength(3)
})

it('retries for a minute if the server cannot be reached', async () => {
  const place = manualHost()
  let asked = 0
  const fetch = () => {
    asked++
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  const server = new Server({ url: '/api', headers: {}, fetch, host: place })

  const failing = expect(server.call('runs', { signal })).rejects.toMatchObject({ code: 'remote_failed' })
  await place.advance(40_000)
  const before = asked
  await place.advance(20_000)

  await failing
  expect(asked).toBeGreaterThan(before)
})

/** A body without an end, of which it is counted how much is read. */
function endless(status: number, type: string) {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      bytes.read += 2 ** 20
      controller.enqueue(new Uint8Array(2 ** 20).fill(120))
    },
  })
  const bytes = { read: 0 }
  return { bytes, answer: () => new Response(body, { status, headers: { 'content-type': type } }) }
}

it.each([
  [404, 'application/problem+json', 'answered with status 404'],
  [200, 'text/html', 'It begins: \\"xxx'],
])('reads no more than the beginning of a response that is no answer: %i %s', async (status, type, message) => {
  const { bytes, answer } = endless(status, type)

  const error: unknown = await serverOf({}, answer).server.call('runs', { signal }).catch(String)

  expect(JSON.stringify(error)).toContain(message)
  expect(bytes.read).toBeLessThan(2 ** 23)
})

it('reads an answer without an end up to its limit, says so, and does not ask again', async () => {
  const { bytes, answer } = endless(200, 'application/json')
  const { asked, server } = serverOf({}, answer)

  await expect(server.call('runs', { signal })).rejects.toMatchObject({ code: 'too_large', retryable: false })
  expect(bytes.read).toBeLessThan(2 ** 28 + 2 ** 23)
  expect(asked).toHaveLength(1)
})

it('says on the console once that a server cannot be reached, and again after it was there', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  let isDown = true
  const server = new Server({
    url: 'https://edge.test/api',
    fetch: async () => (isDown ? Promise.reject(new TypeError('Failed to fetch')) : Response.json({})),
  })
  const open = () => server.open('runs', { signal: AbortSignal.timeout(60_000) }).catch(() => {})

  await open()
  await open()
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^Interleave: The server at "https:\/\/edge.test\/api" cannot be reached.*allowedOrigins/)],
  ])
  isDown = false
  await open()
  isDown = true
  await open()
  expect(warn).toHaveBeenCalledTimes(2)
  warn.mockRestore()
})
