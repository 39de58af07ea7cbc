import { type Host, localHost } from '@interleave/core'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { restateAgent } from './restateAgent.ts'

afterEach(closeServers)

/** A host on which a minute takes less than a second. */
const fast: Host = {
  ...localHost,
  now: () => Date.now() * 100,
  timer: (ms, callback) => localHost.timer(ms / 100, callback),
}

async function serve(answer: (path: string) => object | undefined) {
  const asked: string[] = []
  const { url: ingress } = await listen((request, response) => {
    const body = answer(request.url ?? '')
    if (body) response.end(JSON.stringify(body))
  })
  // Counted here: a request that was given up may reach the server later.
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    asked.push(url)
    return globalThis.fetch(url, init)
  }
  return { asked, guide: restateAgent({ agent: 'guide', ingress, host: fast, fetch }) }
}

const started = { seq: 0, at: 0, iteration: 0, type: 'started', runId: 'a', agent: 'guide', version: '' }
const shown = {
  ...{ length: 1, pages: [], tail: [started], isHeld: true },
  summary: { runId: 'a', agent: 'guide', version: '', startedAt: 0, updatedAt: 0, events: 1, title: '' },
}

it('fails to begin where no one answers, and asks no more', async () => {
  const { asked, guide } = await serve(() => undefined)

  const signal = await guide.start('Go', { id: 'a' }).settled

  expect(signal).toMatchObject({ type: 'failed', error: { code: 'remote_failed', retryable: true } })
  const { length } = asked
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked).toHaveLength(length)
})

it.each(['say', 'stop'] as const)('gives %s up where no one answers any more', async (what) => {
  let isDown = false
  const { guide } = await serve((path) => {
    if (path.endsWith('/ask')) isDown = true
    return isDown ? undefined : shown
  })
  const run = await guide.resume('a')

  await expect(run[what]('Go on.')).rejects.toMatchObject({ code: 'remote_failed', retryable: true })
  run.close()
})
