import { AgentError, agent, confirm, type Host, localHost, type Run, tool } from '@interleave/core'
import { messagesOf } from '@interleave/core/observe'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type RemoteHeaders, remoteAgent } from './index.ts'

/** Retries soon, but asks no server again that refuses the page. */
const hasty: Host = {
  ...localHost,
  timer: (ms, callback) => (ms < 10_000 ? localHost.timer(ms / 50, callback) : () => {}),
}
const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const asking = () =>
  agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.', 'More.', 'More.'),
    tools: { ask },
  })

/** A page, a server whose streams are short, and a session that can expire. */
function setUp(headers: (session: { isValid: boolean }) => RemoteHeaders) {
  const session = { isValid: true, front: undefined as (() => Response) | undefined }
  const handler = openHandler([asking()], {
    authorize: () => (session.isValid ? 'ada' : undefined),
    limits: { streamMs: 50 },
  })
  const guide = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: headers(session),
    host: hasty,
    fetch: async (url, init) => session.front?.() ?? handler(new Request(url, init)),
  })
  return { guide, session }
}
const said = (run: Run) => messagesOf(run).flatMap((message) => (message.type === 'user' ? [message.text] : []))

const kinds: [string, (session: { isValid: boolean }) => RemoteHeaders][] = [
  ['are fixed', () => ({ cookie: 'x' })],
  ['are an old token', () => async () => ({ authorization: 'old' })],
  [
    'are refused by the page itself',
    (session) => () => {
      if (!session.isValid) throw new AgentError('not_allowed', 'Sign in first.')
      return { authorization: 'new' }
    },
  ],
]

it.each(kinds)('continues with a question after the user has signed in again, where headers %s', async (_, headers) => {
  const { guide, session } = setUp(headers)
  const run = guide.start('Go')
  const first = await run.settled

  session.isValid = false
  await expect.poll(() => run.connection).toMatchObject({ type: 'refused', error: { code: 'not_allowed' } })
  await expect(run.reply('ask', true)).rejects.toMatchObject({ code: 'not_allowed' })
  session.isValid = true
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  await untilSettled(run, 'answer')
  expect(run.state.signal).toMatchObject({ output: 'Done.' })
  expect(run.connection).toEqual({ type: 'connected' })
  expect(await guide.resume(run.id)).toBe(run)
  run.close()
})

it('opens a refused run again with resume, and with any command for another run', async () => {
  const { guide, session } = setUp(() => ({ cookie: 'x' }))
  const [run, other] = [guide.start('Go'), guide.start('Go')]
  await Promise.all([run.settled, other.settled])
  session.isValid = false
  await expect.poll(() => [run.connection?.type, other.connection?.type]).toEqual(['refused', 'refused'])

  session.isValid = true
  expect(await guide.resume(run.id)).toBe(run)

  await expect.poll(() => [run.connection?.type, other.connection?.type]).toEqual(['connected', 'connected'])
  run.close()
  other.close()
})

it('starts a run once the user has signed in, which was refused before', async () => {
  const { guide, session } = setUp(() => ({ cookie: 'x' }))
  session.isValid = false
  const run = guide.start('Go')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'not_allowed' } })

  session.isValid = true
  run.resume()

  await untilSettled(run, 'inputNeeded')
  expect(said(run)).toEqual(['Go'])
  expect(await guide.resume(run.id)).toBe(run)
  run.close()
})

const front = (status: number, type: string) => () =>
  new Response(type === 'text/html' ? '<html>Sorry</html>' : '{}', { status, headers: { 'content-type': type } })

it.each([
  ...[200, 401, 403, 404, 413].map((status) => [status, 'text/html'] as const),
  [200, 'application/json'] as const,
])('keeps what is sent while a proxy answers with %d and %s', async (status, type) => {
  const code = status === 413 ? 'too_large' : 'remote_failed'
  const { guide, session } = setUp(() => ({ cookie: 'x' }))
  const first = guide.start('Go')
  const asked = await first.settled

  session.front = front(status, type)
  const second = guide.start('Go')
  const saying = first.say('More')
  const replying = asked.type === 'inputNeeded' && first.reply(asked.asks[0].id, true)
  await expect.poll(() => second.connection).toMatchObject({ type: 'waiting', error: { code } })
  expect([said(first), said(second)]).toEqual([['Go', 'More'], ['Go']])
  session.front = undefined
  await Promise.all([saying, replying])

  await untilSettled(first, 'answer')
  await second.settled
  expect([said(first), said(second)]).toEqual([['Go', 'More'], ['Go']])
  first.close()
  second.close()
})
