import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchTool } from '../../../../scripts/fetch-tool.mjs'
import { freePort } from '../../../../test/processes/freePorts.ts'
import { mcpClient, mcpTools } from '../index.ts'
import { caller, callOf } from '../testing/agents.ts'

// The reference server of the protocol of 2025, as it is published.

const version = '2026.8.31'
let url = ''
let end = (): void => {}

beforeAll(async () => {
  const home = await fetchTool(`mcp-server-everything-${version}`, [
    `@modelcontextprotocol/server-everything@${version}`,
  ])
  const program = path.join(home, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const port = await freePort()
  const server = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  end = () => void server.kill()
  url = `http://127.0.0.1:${port}/mcp`
  for await (const line of createInterface({ input: server.stderr })) if (line.includes('listening')) break
}, 300_000)
afterAll(() => end())

it('lists and calls tools', async () => {
  const client = mcpClient({ url })

  const tools = await client.listTools()
  const { content } = await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } })

  // Its fifteenth tool can only be called as a task.
  expect(tools.map(({ name }) => name)).toHaveLength(14)
  expect(content).toMatchObject([{ text: expect.stringContaining('5') }])
})

it('reports progress', async () => {
  const seen: unknown[] = []

  const onProgress = (progress: unknown) => void seen.push(progress)
  await mcpClient({ url }).callTool(
    { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
    { onProgress },
  )

  expect(seen).toMatchObject([1, 2, 3, 4].map((progress) => ({ progress, total: 4 })))
})

it('answers a form that the server asks in an open call', async () => {
  const tools = mcpTools(mcpClient({ url }), { only: ['trigger-elicitation-request'] })
  const run = caller(tools, 'trigger-elicitation-request').start('Go')
  await run.settled
  const [ask] = run.state.asks

  await run.reply(ask?.id ?? '', { name: 'Ada', check: true })
  await run.settled

  expect(ask).toMatchObject({ kind: 'form', asker: new URL(url).host })
  expect(JSON.stringify(callOf(run)?.output)).toContain('Ada')
})

it('reads each kind of content', async () => {
  const client = mcpClient({ url })
  const image = await client.callTool({ name: 'get-tiny-image', arguments: {} })
  const links = await client.callTool({ name: 'get-resource-links', arguments: { count: 2 } })
  const structured = await client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } })

  expect(image.content).toEqual(expect.arrayContaining([expect.objectContaining({ mimeType: 'image/png' })]))
  expect(links.content).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'resource_link' })]))
  expect(structured.structuredContent).toBeTypeOf('object')
})
