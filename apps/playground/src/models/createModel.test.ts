import { agent } from '@interleave/core'
import { eventsOf } from '@interleave/core/observe'
import { collect } from '@interleave/test-kit/collect'
import { expect, it } from 'vitest'
import { type CloudName, type Connection, labelOf, secret } from './connections.ts'
import { createModel } from './createModel.ts'
import { cloudOfKey, clouds as known, ways, wayTypeOf } from './ways.ts'

interface Sent {
  readonly url: string
  readonly headers: Headers
}

/** A network that notes what is sent and answers nothing useful. */
function network() {
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push({ url: String(input), headers: new Headers(init?.headers) })
    return new Response('{"error":{"message":"No."}}', { status: 400, headers: { 'content-type': 'application/json' } })
  }
  return { sent, fetch }
}

async function send(connection: Connection): Promise<Sent> {
  const { sent, fetch } = network()
  const model = await createModel(connection, { origin: 'http://127.0.0.1:5173', fetch })
  await agent({ name: 'tester', model }).start('Hi').settled
  if (!sent[0]) throw new Error('Nothing was sent.')
  return sent[0]
}

it('offers first what needs nothing, then the own machine, then the clouds', () => {
  expect(ways.map(({ type }) => type)).toEqual(['demo', 'builtIn', 'server', 'key'])
  expect(known.map(wayTypeOf)).toEqual(['key', 'key', 'key'])
})

it.each([
  ['sk-ant-api03-x', 'anthropic'],
  ['sk-proj-x', 'openai'],
  [' sk-x\n', 'openai'],
  ['AIzaSyX', 'google'],
  ['AQ.x', 'google'],
  ['gsk_x', undefined],
  ['', undefined],
])('recognizes the provider of the key %j', (key, cloud) => {
  expect(cloudOfKey(key)).toBe(cloud)
})

it('makes the demo planner without any network', async () => {
  const model = await createModel({ type: 'demo' }, network())

  expect(model).toMatchObject({ provider: 'demo', modelId: 'rule-based' })
  expect(labelOf({ type: 'demo' })).toBe('Demo planner (rules, no AI)')
})

it('asks a local server through the proxy', async () => {
  const { url, headers } = await send({ type: 'server', url: 'http://127.0.0.1:11434/v1/ ', modelId: 'm' })

  expect(url).toBe('http://127.0.0.1:5173/llm/chat/completions')
  expect(headers.get('x-llm-target')).toBe('http://127.0.0.1:11434/v1')
  expect(headers.has('authorization')).toBe(false)
})

const clouds: readonly [CloudName, string, string][] = [
  ['openai', 'https://api.openai.com/v1/responses', 'authorization'],
  ['anthropic', 'https://api.anthropic.com/v1/messages', 'x-api-key'],
  [
    'google',
    'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse',
    'x-goog-api-key',
  ],
]
it.each(clouds)('asks %s directly or through the proxy', async (type, address, keyHeader) => {
  const cloud = { type, modelId: 'm', key: secret('key-1') } as const

  const direct = await send({ ...cloud, route: 'direct' })
  const proxied = await send({ ...cloud, route: 'proxy' })

  expect(direct.url).toBe(address)
  expect(direct.headers.get(keyHeader)).toContain('key-1')
  expect(direct.headers.has('anthropic-dangerous-direct-browser-access')).toBe(type === 'anthropic')
  expect(proxied.url).toMatch(/^http:\/\/127\.0\.0\.1:5173\/llm\//)
  expect(address.startsWith(proxied.headers.get('x-llm-target') ?? '-')).toBe(true)
  expect(proxied.headers.get(keyHeader)).toContain('key-1')
})

it('keeps a key out of what is printed and stored', () => {
  const key = secret('key-1')

  expect(`${key} ${JSON.stringify({ key })} ${Object.values(key).map(String)}`).not.toContain('key-1')
  expect(key.reveal()).toBe('key-1')
})

it('leaves the key out of the log of a run that failed', async () => {
  const model = await createModel({ type: 'openai', modelId: 'm', key: secret('key-1'), route: 'direct' }, network())

  const run = agent({ name: 'tester', model }).start('Hi')
  await run.settled

  const events = await collect(eventsOf(run))
  expect(JSON.stringify(events)).not.toContain('key-1')
})
