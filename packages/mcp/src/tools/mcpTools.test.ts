import { type Ask, tool } from '@interleave/core'
import { pinned, pinsOf } from '@interleave/core/tools'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { mcpClient } from '../client/mcpClient.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { opened, serveLegacyShop, serveShop } from '../testing/shopServer.ts'
import { type McpToolsOptions, mcpTools } from './mcpTools.ts'

async function started(name: string, input: object = {}, options: McpToolsOptions = {}) {
  const { url, world } = await opened(serveShop())
  const tools = mcpTools(mcpClient({ url }), options)
  const run = caller(tools, name, input).start('Go')
  await run.settled
  return { run, world, host: new URL(url).host }
}
const who = { 'Who pays': { name: 'Ada' }, 'Which address': { name: 'Home' } }

it('gives structured content to the app, and to the model as foreign data', async () => {
  const { run, host } = await started('add', { a: 1, b: 2 })

  expect(callOf(run)).toMatchObject({
    output: { sum: 3 },
    result: { type: 'json', value: { trusted: false, from: host, result: { sum: 3 } } },
  })
})

it.each([serveShop, serveLegacyShop])('sends the trace of a call with it (%o)', async (serve) => {
  const { url, world } = await opened(serve())
  const trace = ({ idempotencyKey = 'none' }) => ({ traceparent: idempotencyKey })
  const run = caller(mcpTools(mcpClient({ url, trace })), 'add', { a: 1, b: 2 }).start('Go')
  await run.settled

  const sent = (method: string) => world.of(method).map(({ body }) => body.params?._meta)
  expect(sent('tools/list').at(-1)).toMatchObject({ traceparent: 'none' })
  expect(sent('tools/call')).toMatchObject([{ traceparent: `${run.id}/1/tool/0`, progressToken: expect.any(Number) }])
})

it('calls without a trace where making one fails', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const { url } = await opened(serveShop())
  const trace = () => {
    throw new Error('No propagator.')
  }
  const listed = Promise.resolve(mcpTools(mcpClient({ url, trace })).current())
  const tools = await listed.finally(() => vi.unstubAllGlobals())

  expect(Object.keys(tools)).toContain('add')
  expect(reported).toHaveBeenCalledOnce()
})

it('fails where the server says that it failed', async () => {
  const { run } = await started('fail')

  expect(callOf(run)?.error).toMatchObject({ code: 'tool_failed', message: 'No such city.' })
})

it('shows pictures to the model and stores them once', async () => {
  const { run } = await started('picture')
  const call = callOf(run)

  expect(call?.result).toMatchObject({
    type: 'content',
    value: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }],
  })
  expect(JSON.stringify(call).split('iVBORw0KGgo')).toHaveLength(2)
  expect(JSON.stringify(call?.output)).toContain('https://shop.example/cat')
})

it('tells the model of a picture that cannot be read, and does not take the call for failed', async () => {
  const content = [
    { type: 'text', text: 'Paid.' },
    { type: 'image', data: 'not base64!', mimeType: 'image/png' },
  ]
  const server = {
    host: 'a.example',
    listTools: async () => [{ name: 'pay', inputSchema: {} }],
    callTool: async () => ({ content }),
  }
  const run = caller(mcpTools(server), 'pay', {}).start('Go')
  await run.settled

  expect(callOf(run)?.error).toBeUndefined()
  expect(callOf(run)?.result).toMatchObject({
    type: 'json',
    value: { result: [{ text: 'Paid.' }, { type: 'image', mimeType: 'image/png' }] },
  })
})

it('reports progress of a call', async () => {
  const { url } = await opened(serveShop())
  const run = caller(mcpTools(mcpClient({ url })), 'slow').start('Go')
  const seen: unknown[] = []
  run.subscribe((event) => void (event.type === 'progressed' && seen.push(event.output)))
  await run.settled

  expect(seen.at(0)).toMatchObject({ total: 2 })
  expect(seen.at(-1)).toBe('Done.')
})

it('cancels in the server when the run is stopped', async () => {
  const { url, world } = await opened(serveShop())
  const begun = new Promise<void>((resolve) => {
    world.slowStarted = resolve
  })
  const run = caller(mcpTools(mcpClient({ url })), 'wait').start('Go')
  await begun
  await run.stop()

  await expect.poll(() => world.cancelled).toBe(1)
})

it('asks before a tool that destroys something', async () => {
  const { run } = await started('wipe')

  expect(run.state.asks).toMatchObject([{ kind: 'approval', tool: 'wipe' }])
})

it.each([
  ['never', 'wipe', undefined],
  ['always', 'add', 'approval'],
  [({ name }: { name: string }) => name === 'add' && 'Really add?', 'add', 'approval'],
] as const)('approves by %s', async (approve, name, kind) => {
  const { run } = await started(name, { a: 1, b: 1 }, { approve })

  expect(run.state.asks[0]?.kind).toBe(kind)
})

it('believes hints of trusted servers alone', async () => {
  const { url } = await opened(serveShop())
  const effects = async (options: McpToolsOptions) => {
    const { add, slow } = (await mcpTools(mcpClient({ url }), options).current()) as Record<string, { effect: string }>
    return [add?.effect, slow?.effect]
  }

  expect(await effects({})).toEqual(['atMostOnce', 'atMostOnce'])
  expect(await effects({ trustHints: true })).toEqual(['readOnly', 'atMostOnce'])
})

it('keeps tools of several servers apart, and refuses two of one name', async () => {
  const { url } = await opened(serveShop())
  const client = mcpClient({ url })
  const fake = (name: string) => ({
    host: 'a.example',
    listTools: async () => [{ name, inputSchema: {} }],
    callTool: async () => ({}),
  })

  expect(Object.keys(await mcpTools({ here: client, there: client }, { only: ['add'] }).current())).toEqual([
    'here_add',
    'there_add',
  ])
  expect(Object.keys(await mcpTools(fake('get weather!'), { prefix: 'w' }).current())).toEqual(['w_get_weather_'])
  await expect(mcpTools({ a: fake('b_c'), a_b: fake('c') }).current()).rejects.toThrow('two tools "a_b_c"')
})

it('refuses options that cannot work', async () => {
  const { url } = await opened(serveShop())
  const client = mcpClient({ url })

  await expect(mcpTools(client, { only: ['nothing'] }).current()).rejects.toThrow('does not offer')
  expect(() => mcpTools(client, { approve: 'sometimes' as 'always' })).toThrow('`approve`')
  expect(() => mcpTools({ client }, { prefix: 'x' })).toThrow('`prefix`')
  expect(() => mcpTools(client, { trust: true } as McpToolsOptions)).toThrow('no option `trust`')
})

it('takes pins of descriptions', async () => {
  const { url } = await opened(serveShop())
  const tools = await mcpTools(mcpClient({ url }), { only: ['add'] }).current()
  const pins = await pinsOf(tools)

  expect(await pinned(tools, { pins })).toEqual(tools)
  expect(await pinned(tools, { pins: {}, changed: 'leaveOut' })).toEqual({})
})

it('asks what the server asks, and says that asks', async () => {
  const { run, world, host } = await started('pay', { amount: 5 })
  const [ask] = run.state.asks

  expect(ask).toMatchObject({ kind: 'form', prompt: 'Who pays?', asker: host, declinable: true })
  await expect(run.reply(ask?.id ?? '', { name: 'A' })).rejects.toThrow('name: At least 2 characters')
  expect(await answerAll(run, who)).toEqual(['Who pays?', 'Which address?'])

  expect(callOf(run)?.output).toBe('Paid 5.')
  expect(world).toMatchObject({ paid: ['op1'], operations: 1 })
  expect(world.of('tools/call')).toHaveLength(3)
})

it.each([
  ['declined', 'decline'],
  ['cancelled', 'cancel'],
])('tells the server that the user %s', async ($reply, action) => {
  const { run, world } = await started('pay', { amount: 5 })
  await answerAll(run, { 'Who pays': { $reply } })

  expect(callOf(run)?.output).toBe(`Not paid: ${action}.`)
  expect(world.paid).toEqual([])
})

it.each([
  ['choose', { kind: 'choice', options: [{ value: 's' }, { value: 'm' }] }, 'm', { size: 'm' }],
  ['agree', { kind: 'confirm' }, true, { ok: true }],
  ['link', { kind: 'link', url: 'https://pay.example/x' }, 'done', undefined],
])('asks %s as the question that fits', async (name, question, reply, content) => {
  const { run } = await started(name)
  expect(run.state.asks).toMatchObject([question])
  await run.reply(run.state.asks[0]?.id ?? '', reply)
  await run.settled

  expect(JSON.parse(String(callOf(run)?.output))).toEqual({ q: { action: 'accept', ...(content && { content }) } })
})

it('asks for no secrets in a form', async () => {
  const { run } = await started('secret')

  expect(run.state.asks).toEqual([])
  expect(callOf(run)?.error?.message).toContain('secret ("password")')
})

it('starts again when the state of the server has expired, and completes one operation', async () => {
  const { run, world } = await started('pay', { amount: 5 })
  world.forgets = 1

  expect(await answerAll(run, who)).toEqual(['Who pays?', 'Who pays?', 'Which address?'])
  expect(world.paid).toEqual(['op2'])
})

it('gives up where each state has expired', async () => {
  const { run, world } = await started('pay', { amount: 5 })
  world.forgets = 99
  await answerAll(run, who)

  expect(callOf(run)?.error?.message).toContain('without end')
  expect(world.paid).toEqual([])
})

it('asks inside of an open call of a server of 2025', async () => {
  const { url, world } = await opened(serveLegacyShop())
  const run = caller(mcpTools(mcpClient({ url })), 'pay', { amount: 5 }).start('Go')
  expect(await answerAll(run, who)).toEqual(['Who pays?', 'Which address?'])

  expect(callOf(run)?.output).toBe('Paid 5.')
  expect(world.paid).toHaveLength(1)
})

it('takes the official client as it is', async () => {
  const { url, world } = await opened(serveShop())
  const client = new Client(
    { name: 'app', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
    },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const run = caller(mcpTools(client), 'pay', { amount: 5 }).start('Go')
  const asked: (readonly Ask[])[] = []
  run.subscribe(() => void asked.push(run.state.asks))
  expect(await answerAll(run, who)).toEqual(['Who pays?', 'Which address?'])

  expect(callOf(run)?.output).toBe('Paid 5.')
  expect(world.paid).toEqual(['op1'])
  await client.close()
})

it('stands next to tools of the app', async () => {
  const { url } = await opened(serveShop())
  const own = tool({ inputSchema: z.object({}), execute: () => 'own' })
  const run = caller([mcpTools(mcpClient({ url })), { own }], 'own').start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer' })
})
