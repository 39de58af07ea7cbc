import type { RequestListener } from 'node:http'
import type { Host } from '@interleave/core'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { asCommandResult, asLogView } from './answers.ts'
import { type Call, createIngress, untilDone } from './ingress.ts'

afterEach(closeServers)

/** A clock that moves when a test says so, however busy the machine is. Pauses between two attempts pass by themselves. */
function openHost() {
  let now = 0
  const attempts = new Set<() => void>()
  const timer: Host['timer'] = (ms, callback) => {
    const pass = (): void => {
      now += ms
      callback()
    }
    if (ms <= 1_000) {
      const pause = setImmediate(pass)
      return () => clearImmediate(pause)
    }
    attempts.add(pass)
    return () => void attempts.delete(pass)
  }
  /** The time of each attempt that waits is over. */
  const giveUp = (): void => {
    for (const pass of [...attempts]) pass()
  }
  return { now: () => now, timer, giveUp }
}

const host = openHost()
/** A server that takes what is asked and never answers. */
const silent = (): void => host.giveUp()

async function serve(listener: RequestListener) {
  const asked: string[] = []
  const { url } = await listen((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  return { url, asked, ingress: createIngress({ ingress: url, host, retryForMs: 30_000 }) }
}

const look = { to: { service: 'runs-log', key: 'a/b', handler: 'look' }, input: 0, answer: asLogView }
const say: Call<unknown> = {
  to: { service: 'runs-log', key: 'a', handler: 'ask' },
  input: { id: '1' },
  answer: asCommandResult,
}
const shown = {
  ...{ length: 0, pages: [], tail: [], isHeld: false },
  summary: { runId: 'a', agent: 'guide', version: '', startedAt: 0, updatedAt: 0, events: 0, title: '' },
}

it('gives up a server that takes what is asked and never answers', async () => {
  const { url, asked, ingress } = await serve(silent)

  const why = `Restate cannot be reached at ${url}: it does not answer within 10 seconds. See that it runs`
  await expect(ingress(look)).rejects.toMatchObject({ code: 'remote_failed', message: expect.stringContaining(why) })
  expect(asked.length).toBeGreaterThan(1)
})

it('gives up one that answers by half, and takes its next answer', async () => {
  const { asked, ingress } = await serve((_, response) => {
    if (asked.length > 1) return response.end(JSON.stringify(shown))
    return response.writeHead(200, { 'content-length': '1000' }).write('{"length":', host.giveUp)
  })

  expect(await ingress(look)).toEqual(shown)
  expect(asked).toHaveLength(2)
})

it('asks again for what takes long, as long as a user learns of the run', async () => {
  const { asked, ingress } = await serve(({ url = '' }, response) => {
    if (url.endsWith('/look')) response.end(JSON.stringify(shown))
    else if (asked.length === 5) response.end('{"length":7}')
    else silent()
  })

  expect(await untilDone(ingress)(say)).toEqual({ length: 7 })
  expect(asked.map((url) => url.split('/').at(-1))).toEqual(['ask', 'look', 'ask', 'look', 'ask'])
})

it('gives up what takes long where no one learns of the run either', async () => {
  const { asked, ingress } = await serve(silent)

  await expect(untilDone(ingress)(say)).rejects.toMatchObject({ code: 'remote_failed', retryable: true })
  expect(asked.filter((url) => url.endsWith('/ask'))).toHaveLength(1)
})

it.each([
  ['a page of a proxy', '<!doctype html><title>Sign in</title>', 'no JSON: "<!doctype html><title>Sign in</title>"'],
  ['nothing', '', 'it is something else'],
  ['something else', '{"status":"ok"}', 'a wrong or missing "length"'],
  ['a log with holes', JSON.stringify({ ...shown, tail: [null] }), 'a wrong or missing "tail.0"'],
])('takes %s for no answer', async (_, body, why) => {
  const { url, ingress } = await serve((_, response) => response.end(body))

  const message = `The response to runs-log/look is not Restate's: ${why}. Check that ${url} is its ingress`
  await expect(ingress({ ...look, retryForMs: 0 })).rejects.toMatchObject({ message: expect.stringContaining(message) })
})

it('does not ask again for what is refused for good', async () => {
  const { asked, ingress } = await serve((_, response) => response.writeHead(400).end('No such run.'))

  await expect(ingress(look)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('No such run.') })
  expect(asked).toEqual(['/runs-log/a%2Fb/look'])
})

it('says now and then why it still waits', async () => {
  const { ingress } = await serve((_, response) => response.writeHead(503).end())
  const faults: string[] = []

  await expect(ingress({ ...look, onFault: ({ message }) => faults.push(message) })).rejects.toThrow()

  expect(faults.length).toBeGreaterThan(0)
  expect(faults.length).toBeLessThan(4)
})

it('waits for no fetch that cannot be aborted', async () => {
  const never = new Promise<Response>(() => {})
  const options = { ingress: 'http://restate.test', host, retryForMs: 0 }
  const late = createIngress({
    ...options,
    fetch: () =>
      Promise.resolve()
        .then(host.giveUp)
        .then(() => never),
  })
  const left = createIngress({ ...options, fetch: () => never })

  await expect(late(look)).rejects.toMatchObject({ code: 'remote_failed', retryable: true })
  await expect(left({ ...look, signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: 'TimeoutError' })
})

it('ends at once when no one wants it any more', async () => {
  const controller = new AbortController()
  const { asked, ingress } = await serve(() => controller.abort(new Error('It was left.')))

  await expect(ingress({ ...look, signal: controller.signal })).rejects.toThrow('It was left.')
  expect(asked).toHaveLength(1)
})
