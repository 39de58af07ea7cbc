import { agent, tool } from '@interleave/core'
import { pinned, pinsOf } from '@interleave/core/tools'
import { eventually } from '@interleave/test-kit/eventually'
import { type ScriptedModel, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { mcpClient } from '../client/mcpClient.ts'
import { opened, type Shop, serve, serveLegacyShop, serveShop, World } from '../testing/shopServer.ts'
import { mcpTools } from './mcpTools.ts'

/** A client, and its streams of changes. */
function listening(url: string) {
  const streams: { readonly signal: AbortSignal; readonly method: string }[] = []
  const client = mcpClient({
    url,
    fetch(to, init) {
      const isStream = init.method === 'GET' || String(init.body).includes('"subscriptions/listen"')
      if (isStream && init.signal) streams.push({ signal: init.signal, method: String(init.method) })
      return fetch(to, init)
    },
  })
  return { client, streams }
}

/** A tool of the app during which something happens. */
const meanwhile = (happen: () => Promise<unknown>) =>
  tool({ inputSchema: z.object({}), execute: async () => void (await happen()) })
const calling = (name: string) => ({ calls: [{ name, input: {} }] })
const namesOf = ({ calls }: ScriptedModel, turn: number) => calls[turn]?.tools?.map(({ name }) => name) ?? []

it.each([
  ['2026', serveShop, 'POST'],
  ['2025', serveLegacyShop, 'GET'],
])('gives a running agent what a server of %s adds, and stops listening with the run', async (_, serveIt, method) => {
  const shop = await opened(serveIt())
  const { client, streams } = listening(shop.url)
  await client.listTools()
  const grow = meanwhile(async () => {
    await eventually(() => expect(streams).toHaveLength(1))
    await eventually(async () => {
      shop.add(`new${shop.world.extra.size}`, 'hello')
      expect((await client.listTools()).map(({ name }) => name)).toContain('new0')
    })
  })
  const model = scriptedModel(calling('grow'), calling('new0'), 'Done.')
  const run = agent({ name: 'a', model, tools: [{ grow }, mcpTools(client)] }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model, 0)).not.toContain('new0')
  expect(namesOf(model, 1).slice(0, namesOf(model, 0).length)).toEqual(namesOf(model, 0))
  expect(namesOf(model, 1)).toContain('new0')
  expect(JSON.stringify(run.state.history)).toContain('hello')
  expect(streams).toMatchObject([{ method, signal: { aborted: true } }])
})

it.each<[string, () => Promise<Shop>]>([
  ['2026', serveShop],
  ['2025', serveLegacyShop],
])('meets a server of %s that has restarted again', async (_, serveIt) => {
  const shop = await opened(serveIt())
  const { client, streams } = listening(shop.url)
  const end = client.followTools()
  await eventually(() => expect(streams).toHaveLength(1))
  shop.restart()
  await eventually(() => {
    // A stream that was still being opened has nothing to cut.
    shop.cut()
    expect(streams.length).toBeGreaterThan(1)
  })
  await eventually(async () => {
    shop.add(`new${shop.world.extra.size}`, 'hello')
    expect((await client.listTools()).map(({ name }) => name)).toContain('new0')
  })
  end()

  expect(streams.every(({ signal }) => signal.aborted)).toBe(true)
})

it('asks a server that has no stream of changes once', async () => {
  const world = new World()
  const tools = [{ name: 'a', inputSchema: { type: 'object' } }]
  const { url } = await opened(
    serve(world, async (request) => {
      const { id, method } = await request.json()
      const error = { code: -32601, message: 'Method not found' }
      const answer = method === 'tools/list' ? { result: { tools, resultType: 'complete', ttlMs: 0 } } : { error }
      return Response.json({ jsonrpc: '2.0', id, ...answer })
    }),
  )
  const client = mcpClient({ url })
  const end = client.followTools()
  await eventually(() => expect(world.of('subscriptions/listen')).toHaveLength(1))
  await client.listTools()
  end()
  client.followTools()()
  await client.listTools()

  expect(world.of('subscriptions/listen')).toHaveLength(1)
  expect(world.of('tools/list')).toHaveLength(3)
})

it('opens one stream for all who follow, and ends it with the last of them', async () => {
  const shop = await opened(serveShop())
  const { client, streams } = listening(shop.url)
  const ends = [client.followTools(), client.followTools()]
  await eventually(() => expect(streams).toHaveLength(1))
  ends[0]?.()
  ends[0]?.()
  expect(streams[0]?.signal.aborted).toBe(false)
  ends[1]?.()

  expect(streams[0]?.signal.aborted).toBe(true)
})

it('asks before a tool whose description is no longer the one that was reviewed', async () => {
  const shop = await opened(serveShop())
  shop.add('helper', 'nice things')
  const { client, streams } = listening(shop.url)
  const source = mcpTools(client, { only: ['helper'] })
  const pins = await pinsOf(await source.current())
  const turn = meanwhile(async () => {
    await eventually(() => expect(streams).toHaveLength(1))
    await eventually(async () => {
      shop.add('helper', 'evil things')
      expect(JSON.stringify(await client.listTools())).toContain('evil')
    })
  })
  const model = scriptedModel(calling('helper'), calling('turn'), calling('helper'), 'Done.')
  const run = agent({ name: 'a', model, tools: [{ turn }, pinned(source, { pins })] }).start('Go')

  expect(await run.settled).toMatchObject({
    asks: [{ prompt: expect.stringContaining('has changed since it was reviewed') }],
  })
  expect(JSON.stringify(model.calls[0]?.tools)).toContain('nice things')
  expect(JSON.stringify(model.calls[2]?.tools)).not.toContain('things')
})

it('keeps the tools of a server that does not answer any more', async () => {
  const shop = await opened(serveShop())
  let isDown = false
  const client = mcpClient({
    url: shop.url,
    fetch: (to, init) => (isDown ? Promise.reject(new Error('down')) : fetch(to, init)),
  })
  const source = mcpTools(client, { only: ['add'] })
  const before = await source.current()
  isDown = true

  expect(await source.current()).toEqual(before)
  await expect(mcpTools(client, { prefix: 'x' }).current()).rejects.toThrow('cannot be reached')
})
