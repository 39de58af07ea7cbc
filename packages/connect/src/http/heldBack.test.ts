import { request } from 'node:http'
import { agent, confirm, type Host, localHost, tool } from '@interleave/core'
import { nodeListener } from '@interleave/server/node'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { remoteAgent } from './index.ts'

afterAll(closeServers)

/** Waits less, but no less for a server that is silent. */
const hasty: Host = {
  ...localHost,
  timer: (ms, callback) => localHost.timer(ms < 10_000 ? ms / 20 : ms, callback),
}

/** A proxy that passes a response on only when it is complete. */
const openProxy = (port: number) =>
  listen((incoming, response) => {
    const { url, method, headers } = incoming
    const outgoing = request({ port, host: '127.0.0.1', path: url, method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => response.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(parts)))
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })

it('follows a run by requests where a proxy holds back the stream, and says so', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.', 'More.')
  const { port } = await listen(nodeListener(openHandler([agent({ name: 'a', model, tools: { ask } })])))
  const proxy = await openProxy(port)
  const guide = remoteAgent({ url: proxy.url, name: 'a', headers: { authorization: 'ada' }, host: hasty })

  const run = guide.start('Go')
  await untilSettled(run, 'inputNeeded')
  await run.reply(run.state.asks[0]?.id ?? '', true)
  await untilSettled(run, 'answer')
  await run.say('More')
  await run.settled

  expect(run.state.signal).toMatchObject({ output: 'More.' })
  await expect.poll(() => run.connection).toEqual({ type: 'connected', isPolling: true })
  expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('A proxy holds back the event stream'))
  warned.mockRestore()
  run.close()
})

it.each(['while it is compared', 'right after it was compared'])(
  'does not take a slow server for such a proxy, whose stream begins %s',
  async (when) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.', 'More.') })])
    let compared = (): void => {}
    let begun = (): void => {}
    const isCompared = new Promise<void>((resolve) => (compared = resolve))
    const isBegun = new Promise<void>((resolve) => (begun = resolve))
    const guide = remoteAgent({
      url: 'https://edge.test',
      name: 'a',
      headers: { authorization: 'ada' },
      host: hasty,
      async fetch(url, init) {
        if (url.includes('wait=false')) {
          if (when === 'while it is compared') {
            compared()
            await isBegun
          } else setImmediate(() => setImmediate(compared))
        } else if (url.includes('/events')) await isCompared
        return handler(new Request(url, init))
      },
    })

    const run = guide.start('Go')
    await untilSettled(run, 'answer')
    begun()
    await run.say('More')
    await run.settled

    expect(run.state.signal).toMatchObject({ output: 'More.' })
    await expect.poll(() => run.connection).toEqual({ type: 'connected' })
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
    run.close()
  },
)
