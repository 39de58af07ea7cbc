import { expect, it } from 'vitest'
import { mcpClient } from '../client/mcpClient.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { mcpTools } from './mcpTools.ts'

interface Lies {
  readonly names: readonly string[]
  readonly call: object
}

/** The tools of a server that answers what it likes. */
function toolsOf({ names, call }: Lies) {
  const inputSchema = { type: 'object', properties: {} }
  const results: Readonly<Record<string, object>> = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools: names.map((name) => ({ name, inputSchema })) },
    'tools/call': call,
  }
  const calls: string[] = []
  const client = mcpClient({
    url: 'https://shop.example/mcp',
    era: 'modern',
    async fetch(_, { body }) {
      const { id, method } = JSON.parse(String(body))
      calls.push(method)
      return Response.json({ jsonrpc: '2.0', id, result: results[method] ?? {} })
    },
  })
  return { tools: mcpTools(client), calls }
}

it.each(['__proto__', 'constructor', 'toString'])(
  'calls a tool that a server names %s, like any other',
  async (name) => {
    const call = { content: [{ type: 'text', text: 'Found.' }] }
    const run = caller(toolsOf({ names: [name, 'find'], call }).tools, name).start('Go')

    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(callOf(run)).toMatchObject({ name, output: 'Found.' })
  },
)

it('gives up a call whose questions fill the log', async () => {
  const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } }
  const inputRequests = { sure: { method: 'elicitation/create', params } }
  const call = { resultType: 'input_required', inputRequests, requestState: 's'.repeat(5_000_000) }
  const { tools, calls } = toolsOf({ names: ['pay'], call })
  const run = caller(tools, 'pay').start('Go')

  expect(await answerAll(run, { Sure: true })).toHaveLength(3)
  expect(callOf(run)?.error).toMatchObject({ code: 'too_large' })
  expect(calls.filter((method) => method === 'tools/call')).toHaveLength(4)
})

it('asks at most 20 questions at once of a server of 2025', async () => {
  const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } }
  const line = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
  const refusals: string[] = []
  let end = (): void => {}
  const client = mcpClient({
    url: 'https://shop.example/mcp',
    era: 'legacy',
    async fetch(_, { method: verb, body }) {
      if (verb === 'GET') return new Response(null, { status: 405 })
      const { id, method, error } = JSON.parse(String(body))
      if (error) refusals.push(error.message)
      if (method === 'tools/list')
        return Response.json({
          jsonrpc: '2.0',
          id,
          result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
        })
      if (method === 'initialize') {
        const serverInfo = { name: 'shop', version: '1' }
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
        return Response.json({ jsonrpc: '2.0', id, result })
      }
      if (method !== 'tools/call') return new Response(null, { status: 202 })
      const asked = Array.from({ length: 30 }, (_, index) =>
        line({ id: `e${index}`, method: 'elicitation/create', params }),
      )
      const stream = new ReadableStream<string>({
        start(controller) {
          controller.enqueue(asked.join(''))
          end = () => controller.enqueue(line({ id, result: { content: [{ type: 'text', text: 'Paid.' }] } }))
        },
      })
      return new Response(stream.pipeThrough(new TextEncoderStream()), {
        headers: { 'content-type': 'text/event-stream' },
      })
    },
  })
  const run = caller(mcpTools(client), 'pay').start('Go')

  await expect.poll(() => refusals).toHaveLength(10)
  await expect.poll(() => run.state.asks).toHaveLength(20)
  expect(refusals[0]).toContain('21 questions at once')
  end()
  await expect.poll(() => run.state.signal?.type).toBe('answer')
})
