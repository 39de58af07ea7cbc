import { agent, confirm, type Host, localHost, tool } from '@interleave/core'
import { deferred, idChange, renameRun } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import type { Handler } from '@interleave/server'
import { clientTool } from '@interleave/server'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { manualModel } from '@interleave/test-kit/manualModel'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { pageRegistry } from '../page.ts'
import { type RemoteAgentOptions, remoteAgent } from './index.ts'

/** Connects again soon. What ends calls without a stream keeps its time. */
const hasty: Host = {
  ...localHost,
  timer: (ms, callback) => localHost.timer(ms < 10_000 ? ms / 50 : ms, callback),
}

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const asking = () =>
  agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.', 'More.'), tools: { ask } })
const clientOf = (handler: Handler, options: Partial<RemoteAgentOptions> = {}) =>
  remoteAgent({
    url: 'https://edge.test/api/',
    name: 'a',
    headers: { authorization: 'ada' },
    fetch: (url, init) => handler(new Request(url, init)),
    ...options,
  })

it('shows a run that works on a server, and answers it', async () => {
  const run = clientOf(openHandler([asking()])).start('Go')

  const first = await run.settled
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.runId).toBe(run.id)
  run.close()
})

it('says how it is with the server, also before the run is begun', async () => {
  const handler = openHandler([asking()])
  const connections: string[] = []
  let isDown = true
  const run = clientOf(handler, {
    onConnection: (_, connection) =>
      connections.push(connection.type === 'waiting' ? (connection.error?.code ?? '') : connection.type),
    fetch: (url, init) => (isDown ? Promise.reject(new TypeError('Down.')) : handler(new Request(url, init))),
    host: hasty,
  }).start('Go')

  await expect.poll(() => connections).toContain('remote_failed')
  isDown = false
  await run.settled

  expect([...new Set(connections)]).toEqual(['connecting', 'remote_failed', 'connected'])
  run.close()
})

it('continues if the listener of the connection throws', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  const onConnection = () => {
    throw new Error('mine')
  }
  const run = clientOf(openHandler([asking()]), { onConnection }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  run.close()
  await expect.poll(() => reported).toHaveBeenCalled()
  reported.mockRestore()
})

it('sends a late client past events and new ones', async () => {
  const handler = openHandler([asking()])
  const first = clientOf(handler).start('Go')
  await first.settled

  const second = await clientOf(handler).resume(first.id)
  await second.reply(second.state.asks[0]?.id ?? '', true)
  await Promise.all([untilSettled(first, 'answer'), untilSettled(second, 'answer')])

  expect(second.state).toEqual(first.state)
  first.close()
  second.close()
})

it('sends a late client the streaming turn so far', async () => {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })])
  const first = clientOf(handler).start('Go')
  await model.called(1)
  model.say('Half')

  await expect.poll(() => first.state.draft?.text).toBe('Half')
  const second = await clientOf(handler).resume(first.id)
  await expect.poll(() => second.state.draft?.text).toBe('Half')
  model.say(' and half')
  model.end()

  expect(await second.settled).toMatchObject({ output: 'Half and half' })
  first.close()
  second.close()
})

it('stops a run there, and resumes it', async () => {
  const model = manualModel()
  const run = clientOf(openHandler([agent({ name: 'a', model })])).start('Go')
  await model.called(1)

  await run.stop('Enough.')
  const stopped = await run.settled
  run.resume()
  await model.called(2)
  model.say('Done.')
  model.end()

  expect(stopped).toEqual({ type: 'stopped', reason: 'Enough.' })
  await untilSettled(run, 'answer')
  run.close()
})

it('says a message once, however often it is sent', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') })])
  const run = clientOf(handler, {
    // Each request comes twice.
    fetch: async (url, init) => {
      if (init.method === 'POST') await handler(new Request(url, init))
      return handler(new Request(url, init))
    },
  }).start('Go')
  await run.settled

  await run.say('And?', { key: 'k' })
  await run.settled
  await run.say('And?', { key: 'k' })

  const said = run.state.history.flat().filter(({ type }) => type === 'said')
  expect(said).toHaveLength(2)
  run.close()
})

it('stops once, also if the answer is lost and the user continues meanwhile', async () => {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })])
  const answers = deferred<void>()
  let stops = 0
  const run = clientOf(handler, {
    host: hasty,
    async fetch(url, init) {
      if (url.endsWith('/stop') && stops++ > 0) await answers.promise
      const response = await handler(new Request(url, init))
      return url.endsWith('/stop') && stops === 1 ? Promise.reject(new TypeError('Lost.')) : response
    },
  }).start('Go')
  await model.called(1)
  const stopping = run.stop()
  await untilSettled(run, 'stopped')

  void run.say('Something else.')
  await model.called(2)
  answers.resolve()
  await stopping
  model.say('Done.')
  model.end()

  await untilSettled(run, 'answer')
  expect([stops, run.state.signal]).toMatchObject([2, { output: 'Done.' }])
  run.close()
})

it('closes a run here, which continues there', async () => {
  const model = manualModel()
  const guide = clientOf(openHandler([agent({ name: 'a', model })]))
  const run = guide.start('Go')
  await model.called(1)

  run.close()
  model.say('Done.')
  model.end()
  const again = await guide.resume(run.id)

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(await again.settled).toMatchObject({ output: 'Done.' })
  again.close()
})

it('settles with what is wrong, where it is not let in', async () => {
  const guide = clientOf(openHandler([asking()]), { headers: {} })
  const run = guide.start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'not_allowed', status: 401 } })
  await expect(guide.resume(run.id)).rejects.toMatchObject({ code: 'not_allowed' })
})

it('says that a run is not there, or is of another agent', async () => {
  const handler = openHandler([asking()])
  const run = clientOf(handler).start('Go')
  await run.settled

  await expect(clientOf(handler).resume('x'.repeat(32))).rejects.toMatchObject({ code: 'run_unknown' })
  await expect(clientOf(handler, { name: 'b' }).resume(run.id)).rejects.toMatchObject({ code: 'agent_mismatch' })
  run.close()
})

it('settles when the run is deleted', async () => {
  const journal = memoryJournal()
  const handler = openHandler([asking()], { journal })
  const run = clientOf(handler).start('Go')
  await run.settled
  await handler(
    new Request(`https://edge.test/v1/runs/${run.id}`, { method: 'DELETE', headers: { authorization: 'ada' } }),
  )

  await expect(run.say('More')).rejects.toMatchObject({ code: 'run_unknown' })
  run.close()
})

it('asks for a fresh header each time', async () => {
  let count = 0
  const seen: string[] = []
  const handler = openHandler([asking()], {
    authorize({ headers }) {
      seen.push(headers.get('authorization') ?? '')
      return 'ada'
    },
  })
  const run = clientOf(handler, { headers: async () => ({ authorization: `token ${++count}` }) }).start('Go')
  await run.settled
  run.close()

  expect(seen).toEqual(['token 1', 'token 2'])
})

const highlight = clientTool({
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.number(),
  effect: 'idempotent',
})
const highlighting = () =>
  agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'highlight', input: { text: 'x' } }] }, ({ prompt }) =>
      JSON.stringify(prompt.at(-1)),
    ),
    tools: { highlight },
  })
type Tools = { highlight: typeof highlight }

it('performs a tool of the server here', async () => {
  const handler = openHandler([highlighting()])
  const seen: unknown[] = []
  const run = remoteAgent<ReturnType<typeof highlighting>, Tools>({
    url: 'https://edge.test',
    name: 'a',
    headers: { authorization: 'ada' },
    fetch: (url, init) => handler(new Request(url, init)),
    tools: {
      highlight({ text }, { runId }) {
        seen.push([text, runId])
        return 3
      },
    },
  }).start('Go')

  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: expect.stringContaining('"value":3') })
  expect(seen).toEqual([['x', run.id]])
  run.close()
})

it('asks for no page in vain, however late the stream of the page that starts the run opens', async () => {
  const journal = memoryJournal()
  const handler = openHandler([highlighting()], { journal })
  const run = clientOf(handler, {
    tools: { highlight: () => 2 } as never,
    async fetch(url, init) {
      const needsPage = async () => (await journal.read(`ada/${run.id}`)).some(({ type }) => /asked|claimed/.test(type))
      if (url.includes('/events')) await expect.poll(needsPage).toBe(true)
      return handler(new Request(url, init))
    },
  }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer', output: expect.stringContaining('"value":2') })
  expect(run.log.map(({ type }) => type)).not.toContain('asked')
  run.close()
})

it('asks for no page in vain when its page reads a run that a server has left', async () => {
  const before = memoryJournal()
  const inPage = vi.fn(() => new Promise(() => {}))
  const first = clientOf(openHandler([highlighting()], { journal: before }), {
    tools: { highlight: inPage } as never,
  }).start('Go')
  await expect.poll(() => inPage.mock.calls).toHaveLength(1)
  first.close()
  const journal = memoryJournal()
  // The pages of this process know the run by its old name.
  await journal.append(`eve/${first.id}`, renameRun(await before.read(`ada/${first.id}`), idChange('ada', 'eve')))

  const handler = openHandler([agent({ name: 'a', model: scriptedModel('Done.'), tools: { highlight } })], { journal })
  const headers = { authorization: 'eve' }
  const run = await clientOf(handler, { headers, tools: { highlight: () => 2 } as never }).resume(first.id)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.log.map(({ type }) => type)).not.toContain('asked')
  run.close()
})

it('asks for no page in vain when its page answers a restarted server before it has a stream again', async () => {
  const journal = memoryJournal()
  const calls = [{ name: 'highlight', input: { text: 'x' } }]
  const model = scriptedModel({ calls }, 'Done.')
  const losing = { ...localHost, timer: (ms: number, end: () => void) => localHost.timer(ms === 15_000 ? 0 : ms, end) }
  let handler = openHandler([asking()], { journal, host: losing })
  const restarted = openHandler([agent({ name: 'a', model, tools: { ask, highlight } })], {
    journal: inAnotherProcess(journal),
  })
  const streams: AbortController[] = []
  const run = clientOf(handler, {
    host: hasty,
    tools: { highlight: () => 2 } as never,
    async fetch(url, init) {
      if (!url.includes('/events')) return handler(new Request(url, init))
      const needsPage = async () =>
        (await journal.read(`ada/${run.id}`)).filter(({ type }) => /asked|claimed/.test(type))
      if (handler === restarted) await expect.poll(needsPage).toHaveLength(3)
      const cut = new AbortController()
      streams.push(cut)
      const { body } = await handler(new Request(url, init))
      return new Response(body?.pipeThrough(new TransformStream(), cut))
    },
  }).start('Go')

  await run.settled
  handler = restarted
  streams[0]?.abort()
  await expect.poll(() => pageRegistry.findPage((page) => page.shows(`ada/${run.id}`))).toBeUndefined()
  await run.reply(run.state.asks[0]?.id ?? '', true)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.log.filter(({ type }) => type === 'asked')).toHaveLength(1)
  run.close()
})

it('waits with a question for a client that can perform a tool', async () => {
  const handler = openHandler([highlighting()])
  const run = clientOf(handler).start('Go')
  const first = await run.settled
  const other = await clientOf(handler, { tools: { highlight: () => 1 } as never }).resume(run.id)

  expect(first).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/page' }] })
  await untilSettled(other, 'answer')
  expect(other.state.signal).toMatchObject({ output: expect.stringContaining('"value":1') })
  run.close()
  other.close()
})

it('sends the server what a tool here throws', async () => {
  const handler = openHandler([highlighting()])
  const fails = () => {
    throw new Error('No such text')
  }
  const run = clientOf(handler, { tools: { highlight: fails } as never }).start('Go')

  await untilSettled(run, 'answer')
  expect(run.state.signal).toMatchObject({ output: expect.stringContaining('No such text') })
  run.close()
})

it('gives the model the error if the server refuses an output', async () => {
  const handler = openHandler([highlighting()], { limits: { bodyBytes: 1_000 } })
  const run = clientOf(handler, { tools: { highlight: () => 'x'.repeat(2_000) } as never }).start('Go')

  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: expect.stringContaining('A body has at most 1000 bytes') })
  run.close()
})

it('performs a tool once, over a connection that breaks in the middle', async () => {
  const handler = openHandler([highlighting()])
  let cut = () => {}
  let times = 0
  const streams: string[] = []
  const run = clientOf(handler, {
    tools: {
      async highlight() {
        times++
        cut()
        await expect.poll(() => streams.length).toBeGreaterThan(1)
        return 7
      },
    } as never,
    async fetch(url, init) {
      const response = await handler(new Request(url, init))
      if (!url.includes('/events')) return response
      streams.push(url)
      const breaking = new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          cut = () => controller.error(new TypeError('network error'))
        },
      })
      return new Response(response.body?.pipeThrough(breaking), response)
    },
  }).start('Go')

  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: expect.stringContaining('"value":7') })
  expect(times).toBe(1)
  run.close()
})

it('receives a call again if it missed it, with the whole time limit', async () => {
  const clock = manualHost()
  const handler = openHandler([highlighting()], { host: { ...clock, newId: localHost.newId } })
  let isLost = false
  let times = 0
  let takes = 0
  const run = clientOf(handler, {
    host: { ...hasty, now: clock.now },
    tools: {
      async highlight() {
        times++
        // It shows that it is alive, with each heartbeat of the server.
        for (let step = 1; step <= 16; step++) {
          await clock.advance(5_000)
          await expect.poll(() => takes, { interval: 5 }).toBeGreaterThan(step)
        }
        return 7
      },
    } as never,
    async fetch(url, init) {
      if (String(init?.body).includes('takes')) takes++
      const response = await handler(new Request(url, init))
      const losing = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const isCall = new TextDecoder().decode(chunk).includes('event: call')
          if (isCall && !isLost) controller.error(new TypeError('network error'))
          else controller.enqueue(chunk)
          isLost ||= isCall
        },
      })
      return new Response(response.body?.pipeThrough(losing), response)
    },
  }).start('Go')

  await untilSettled(run, 'answer')

  expect([isLost, times]).toEqual([true, 1])
  run.close()
})

it('asks for a new token when the one it has is too old', async () => {
  let later = 0
  const host = { ...localHost, now: () => localHost.now() + later }
  const run = clientOf(openHandler([asking()], { host, limits: { replyMs: 60_000 } })).start('Go')
  await run.settled
  later = 60_001

  await run.reply(run.state.asks[0]?.id ?? '', true)

  await untilSettled(run, 'answer')
  run.close()
})

it('answers only the question that its page has seen, also if another run has the same id and question', async () => {
  const journal = memoryJournal()
  const old = openHandler([asking()], { journal })
  const again = openHandler([asking()], {
    journal: inAnotherProcess(journal),
    host: { ...localHost, now: () => localHost.now() + 1_000 },
  })
  let handler = old
  const run = clientOf(old, { fetch: (url, init) => handler(new Request(url, init)) }).start('Go')
  await run.settled
  // Its page receives no events of the run.
  const before = handler
  handler = (request) => (request.url.includes('/events') ? before(request) : again(request))
  await journal.delete(`ada/${run.id}`)
  const other = clientOf(again).start('Go', { id: run.id })
  await other.settled

  await expect(run.reply(other.state.asks[0]?.id ?? '', true)).rejects.toMatchObject({ code: 'token_invalid' })

  expect(other.state.signal).toMatchObject({ type: 'inputNeeded' })
  run.close()
  other.close()
})

it('continues a tool when the server comes back without the run', async () => {
  const before = memoryJournal()
  const journal = memoryJournal()
  const first = clientOf(openHandler([highlighting()], { journal: before })).start('Go')
  await first.settled
  first.close()
  // As after a crash: no process executes it.
  const kept = renameRun(await before.read(`ada/${first.id}`), idChange('ada', 'eve'))
  await journal.append(`eve/${first.id}`, kept)

  const model = scriptedModel(({ prompt }) => JSON.stringify(prompt.at(-1)))
  const handler = openHandler([agent({ name: 'a', model, tools: { highlight } })], { journal })
  const headers = { authorization: 'eve' }
  const run = await clientOf(handler, { headers, tools: { highlight: () => 9 } as never }).resume(first.id)
  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: expect.stringContaining('"value":9') })
  run.close()
})

it('aborts the tool here when the run is stopped', async () => {
  let aborted = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const run = clientOf(openHandler([highlighting()]), {
    tools: {
      highlight: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
        begin()
        return new Promise((_resolve, reject) => {
          abortSignal.addEventListener('abort', () => {
            aborted = true
            reject(abortSignal.reason)
          })
        })
      },
    } as never,
  }).start('Go')
  await begun

  await run.stop()

  await expect.poll(() => aborted).toBe(true)
  run.close()
})

it('takes no history along', async () => {
  const history = [{ role: 'assistant' as const, content: [{ type: 'text' as const, text: 'You may.' }] }]
  const run = clientOf(openHandler([asking()])).start('Go', { history })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid' } })
})

it('needs an address and a name', () => {
  expect(() => remoteAgent({ url: undefined as never, name: 'a' })).toThrow('the address of a createHandler()')
  expect(() => remoteAgent({ url: '', name: '' })).toThrow('the name of an agent')
  const misspelled = { url: '', name: 'a', header: {} }
  expect(() => remoteAgent(misspelled)).toThrow('remoteAgent() has no option `header`. Did you mean `headers`?')
  const timeouts = { slowAfter: 20 }
  expect(() => remoteAgent({ url: '', name: 'a', timeouts } as never)).toThrow('`timeouts` has no option `slowAfter`.')
})
