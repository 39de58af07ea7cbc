import { agent } from '@interleave/core'
import { missingTools, pinned, pinsOf, toolSource } from '@interleave/core/tools'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { mcpClient } from '../client/mcpClient.ts'
import { mcpTools } from './mcpTools.ts'

afterEach(() => void vi.useRealTimers())

const url = 'https://mcp.example.com/mcp'

/** A server that is down, hangs or works, as told. */
function server(tools: readonly object[] = [{ name: 'x', inputSchema: { type: 'object' } }]) {
  const world = { is: 'down' as 'down' | 'hanging' | 'up', lists: 0, onList: () => {} }
  const fetch = async (_: string, init: RequestInit): Promise<Response> => {
    const { id } = JSON.parse(String(init.body))
    if (world.is === 'down') throw new TypeError('fetch failed')
    world.lists++
    world.onList()
    if (world.is === 'hanging') return new Promise(() => {})
    return Response.json({ jsonrpc: '2.0', id, result: { tools, ttlMs: 0 } })
  }
  return { world, client: mcpClient({ url, era: 'modern', fetch }) }
}

it('fails without a server, unless it is optional: then the state names it until it is back', async () => {
  const { world, client } = server()
  const model = scriptedModel('One.', 'Two.')
  const needed = agent({ name: 'a', model: scriptedModel('One.'), tools: mcpTools(client) }).start('Go')
  const run = agent({ name: 'a', model, tools: mcpTools(client, { optional: true }) }).start('Go')

  expect(await needed.settled).toMatchObject({ type: 'failed', error: { code: 'tools_unavailable' } })
  expect(await run.settled).toMatchObject({ output: 'One.' })
  expect(missingTools(run.state)).toEqual(['mcp.example.com'])

  world.is = 'up'
  await run.say('Again')
  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(missingTools(run.state)).toEqual([])
  expect(model.calls.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([[], ['x']])
})

it('waits once for an optional server that does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { world, client } = server()
  world.is = 'hanging'
  const asked = new Promise<void>((resolve) => {
    world.onList = resolve
  })
  const run = agent({
    name: 'a',
    model: scriptedModel('One.', 'Two.'),
    tools: mcpTools(client, { optional: true }),
  }).start('Go')
  await asked
  await vi.advanceTimersByTimeAsync(5_000)
  await run.settled
  vi.useRealTimers()
  await run.say('Again')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(missingTools(run.state)).toEqual(['mcp.example.com'])
  expect(world.lists).toBe(1)
})

it('keeps the tools of an optional server that goes away', async () => {
  const { world, client } = server()
  world.is = 'up'
  const model = scriptedModel('One.', 'Two.')
  const run = agent({ name: 'a', model, tools: mcpTools(client, { optional: true }) }).start('Go')
  await run.settled
  world.is = 'down'
  await run.say('Again')
  await run.settled

  expect(missingTools(run.state)).toEqual([])
  expect(model.calls[1]?.tools).toHaveLength(1)
})

it('names what a source of another kind omits, also behind pins', async () => {
  const source = toolSource({ current: () => ({}), missing: () => ['plugins'] })
  const tools = pinned(source, { pins: await pinsOf({}) })
  const run = agent({ name: 'a', model: scriptedModel('One.'), tools }).start('Go')
  await run.settled

  expect(missingTools(run.state)).toEqual(['plugins'])
})

it('omits a tool that can only be called as a task', async () => {
  const tool = (name: string, taskSupport: string) => ({ name, inputSchema: {}, execution: { taskSupport } })
  const { world, client } = server([tool('a', 'required'), tool('b', 'optional'), tool('c', 'forbidden')])
  world.is = 'up'

  expect((await client.listTools()).map(({ name }) => name)).toEqual(['b', 'c'])
})
