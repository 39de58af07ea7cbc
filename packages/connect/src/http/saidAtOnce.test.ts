import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { messagesOf } from '@interleave/core/observe'
import { runNames } from '@interleave/server/internal'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { manualModel } from '@interleave/test-kit/manualModel'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { remoteAgent } from './index.ts'

/** A page, and a server that answers when it is let to. */
function setUp() {
  const journal = memoryJournal()
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') })], { journal })
  let isDown = false
  let gate: Promise<void> | undefined
  const posts: string[] = []
  const guide = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: { authorization: 'ada' },
    async fetch(url, init) {
      if (init.method === 'POST') posts.push(url)
      await gate
      if (isDown) throw new TypeError('fetch failed')
      return handler(new Request(url, init))
    },
  })
  return {
    guide,
    journal,
    posts,
    /** Requests hang from now on. Returns what lets them through. */
    hang() {
      let release = (): void => {}
      gate = new Promise((resolve) => {
        release = resolve
      })
      return () => {
        gate = undefined
        release()
      }
    },
    goDown() {
      isDown = true
    },
    comeBack() {
      isDown = false
      dispatchOnline()
    },
  }
}
/** Makes requests that wait for the network retry at once. */
const dispatchOnline = (): void => {
  if (typeof dispatchEvent === 'function') dispatchEvent(new Event('online'))
}
const users = (of: Parameters<typeof messagesOf>[0]) =>
  messagesOf(of).flatMap((message) => (message.type === 'user' ? [[message.text, message.state === 'sending']] : []))

it('shows the first message at once, and that it is being sent', async () => {
  const { guide, hang, journal } = setUp()
  const release = hang()

  const run = guide.start('Go')

  expect(run.state).toMatchObject({ agent: 'a', seq: 0, sending: [{ content: 'Go' }] })
  expect(run.state.signal).toBeUndefined()
  expect(users(run)).toEqual([['Go', true]])
  expect(run.connection).toEqual({ type: 'connecting' })

  release()
  await untilSettled(run, 'answer')
  expect(users(run)).toEqual([['Go', false]])
  expect(run.log).toEqual(runNames('ada').show(await journal.read(`ada/${run.id}`)))
  expect(run.connection).toEqual({ type: 'connected' })
  run.close()
})

it('shows what is said at once, and the run at work', async () => {
  const { guide, hang, journal } = setUp()
  const run = guide.start('Go')
  await untilSettled(run, 'answer')
  const release = hang()

  const saying = run.say('And?')

  expect(run.state.signal).toBeUndefined()
  expect(users(run)).toEqual([
    ['Go', false],
    ['And?', true],
  ])
  release()
  await saying
  expect(run.state.sending).toBeUndefined()
  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(run.log).toEqual(runNames('ada').show(await journal.read(`ada/${run.id}`)))
  run.close()
})

it('says the message that starts the run without a request of its own, once the server has it', async () => {
  const { guide, hang, journal, posts } = setUp()
  const release = hang()
  const run = guide.start('Go', { key: 'first' })
  let length = 0

  const saying = run.say('Go', { key: 'first' }).then(async () => {
    length = (await journal.read(`ada/${run.id}`)).length
  })
  release()
  await saying

  expect(length).toBeGreaterThanOrEqual(2)
  expect(posts).toHaveLength(1)
  await untilSettled(run, 'answer')
  expect(run.log.filter(({ type }) => type === 'said')).toHaveLength(1)
  run.close()
})

it('rejects the message that starts the run if the server refuses it', async () => {
  const { guide } = setUp()
  const large = 'x'.repeat(14_000_001)
  const run = guide.start(large, { key: 'first' })

  await expect(run.say(large, { key: 'first' })).rejects.toMatchObject({ code: 'too_large' })
  run.close()
})

it('keeps what is said while the server is down, and sends it once', async () => {
  const { guide, goDown, comeBack, journal } = setUp()
  goDown()

  const run = guide.start('Go')
  await expect.poll(() => run.connection).toMatchObject({ type: 'waiting', error: { code: 'remote_failed' } })
  expect(users(run)).toEqual([['Go', true]])
  comeBack()
  await untilSettled(run, 'answer')

  goDown()
  const saying = run.say('And?')
  expect(users(run).at(-1)).toEqual(['And?', true])
  comeBack()
  await saying
  await untilSettled(run, 'answer')

  const said = (await journal.read(`ada/${run.id}`)).filter(({ type }) => type === 'said')
  expect(said).toHaveLength(2)
  expect(users(run)).toEqual([
    ['Go', false],
    ['And?', false],
  ])
  run.close()
})

it('takes back a message that the server refuses', async () => {
  const { guide } = setUp()
  const run = guide.start('Go')
  await untilSettled(run, 'answer')

  await expect(run.say('x'.repeat(14_000_001))).rejects.toMatchObject({ code: 'too_large' })

  expect(users(run)).toEqual([['Go', false]])
  expect(run.state.signal).toMatchObject({ type: 'answer' })
  run.close()
})

it('emits its connection as a live event', async () => {
  const { guide, goDown, comeBack } = setUp()
  goDown()
  const connections: string[] = []

  const run = guide.start('Go')
  run.subscribe((event) => event.type === 'connection' && connections.push(event.connection.type))
  await expect.poll(() => connections).toContain('waiting')
  comeBack()
  await untilSettled(run, 'answer')

  expect(connections).toContain('connected')
  run.close()
})

it('says after two seconds that there is no answer yet', async () => {
  const host = manualHost()
  const guide = remoteAgent({ url: 'https://edge.test', name: 'a', host, fetch: () => new Promise(() => {}) })

  const run = guide.start('Go')
  await host.advance(1_999)
  const before = run.connection
  await host.advance(1)

  expect(before).toEqual({ type: 'connecting' })
  expect(run.connection).toMatchObject({ type: 'waiting', error: { message: expect.stringContaining('2 seconds') } })
  run.close()
})

it('says that the server does not answer a message, though its stream works, and keeps the message', async () => {
  const { guide, hang } = setUp()
  const run = guide.start('Go')
  await untilSettled(run, 'answer')
  const release = hang()

  const saying = run.say('And?')
  await expect
    .poll(() => run.connection, { timeout: 4_000 })
    .toMatchObject({ type: 'waiting', error: { code: 'remote_failed' } })

  expect(users(run).at(-1)).toEqual(['And?', true])
  release()
  await saying
  expect(run.connection).toEqual({ type: 'connected' })
  run.close()
})

it.each([{ slowAfterMs: 0 }, { requestMs: Number.NaN }])('refuses times that cannot be: %o', (timeouts) => {
  expect(() => remoteAgent({ url: '/api', name: 'a', timeouts })).toThrow('must be a number')
})

it('says that the server does not answer a stream', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('One.') })])
  const run = remoteAgent({
    url: 'https://edge.test',
    name: 'a',
    headers: { authorization: 'ada' },
    timeouts: { slowAfterMs: 20 },
    fetch: (url, init) => (url.includes('/events') ? new Promise(() => {}) : handler(new Request(url, init))),
  }).start('Go')

  await expect.poll(() => run.connection).toMatchObject({ type: 'waiting', error: { code: 'remote_failed' } })
  run.close()
})

it('rejects a message that is still being sent when the server has the run no more', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel('One.') })])
  let saysFail = 0
  const guide = remoteAgent({
    url: 'https://edge.test',
    name: 'a',
    headers: { authorization: 'ada' },
    async fetch(url, init) {
      if (!url.includes('/say')) return handler(new Request(url, init))
      saysFail++
      throw new TypeError('fetch failed')
    },
  })
  const run = guide.start('Go')
  await untilSettled(run, 'answer')
  const saying = run.say('And?').catch((error: unknown) => error)
  await expect.poll(() => saysFail).toBeGreaterThan(0)

  await call(handler, `runs/${run.id}`, { method: 'DELETE' })

  expect(await saying).toMatchObject({ code: 'run_unknown' })
  expect(run.state.sending).toBeUndefined()
})

it('gives a message up within a minute if the stream of its run has failed for good', async () => {
  const [host, journal, model] = [manualHost(), memoryJournal(), manualModel()]
  const handler = openHandler([agent({ name: 'a', model })], { journal })
  let isDown = false
  const guide = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: { authorization: 'ada' },
    host,
    async fetch(url, init) {
      if (isDown) throw new TypeError('fetch failed')
      return handler(new Request(url, init))
    },
  })
  const run = guide.start('Go')
  await model.called(1)
  await journal.delete(`ada/${run.id}`)
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'run_unknown' } })
  isDown = true

  const saying = expect(run.say('And?')).rejects.toMatchObject({
    code: 'remote_failed',
    retryable: true,
    message: expect.stringContaining('cannot be reached: fetch failed'),
  })
  await host.advance(60_000)

  await saying
})

/** A run that is settled, whose first message then fails once or hangs on its way. */
async function withFirstSay(first: 'fails' | 'hangs') {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel(...Array<string>(9).fill('Yes.')) })])
  const sent: string[] = []
  const run = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: { authorization: 'ada' },
    async fetch(url, init) {
      if (!url.includes('/say')) return handler(new Request(url, init))
      sent.push(JSON.parse(String(init.body)).content)
      if (sent.length > 1) return handler(new Request(url, init))
      if (first === 'fails') throw new TypeError('fetch failed')
      return new Promise<Response>((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )
    },
  }).start('Go')
  await untilSettled(run, 'answer')
  return { run, sent, said: () => run.log.flatMap((event) => (event.type === 'said' ? [event.content] : [])) }
}

it('says messages in the order in which they were said, although the first has to be sent again', async () => {
  const { run, said } = await withFirstSay('fails')

  await Promise.all(['One', 'Two', 'Three'].map((text) => run.say(text)))

  expect(said()).toEqual(['Go', 'One', 'Two', 'Three'])
  run.close()
})

it('sends a message at once that is sent again, or that interrupts, and the others after a withdrawal', async () => {
  const { run, sent, said } = await withFirstSay('hangs')
  const one = run.say('One', { key: '1' }).catch(({ code }) => code)
  const two = run.say('Two', { key: '2' })
  const three = run.say('Three', { key: '3' })

  await run.say('Three', { key: '3' })
  await run.say('Now', { now: true })
  expect(said()).toEqual(['Go', 'Three', 'Now'])
  run.withdraw('1')

  expect(await one).toBe('stopped')
  await Promise.all([two, three])
  expect(said()).toEqual(['Go', 'Three', 'Now', 'Two'])
  expect(sent).toEqual(['One', 'Three', 'Now', 'Two', 'Three'])
  run.close()
})

it('does not send the messages that wait for an earlier one if the run is closed', async () => {
  const { run, sent } = await withFirstSay('hangs')
  const says = ['One', 'Two'].map((text) => run.say(text).catch(({ code }) => code))
  await expect.poll(() => sent).toEqual(['One'])

  run.close()

  expect(await Promise.all(says)).toEqual(['stopped', 'stopped'])
  expect(sent).toEqual(['One'])
})
