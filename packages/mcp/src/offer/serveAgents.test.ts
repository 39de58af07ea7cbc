import { agent, approval, choice, confirm, form, link, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { mcpClient } from '../client/mcpClient.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { opened, serve, World } from '../testing/shopServer.ts'
import { mcpTools } from '../tools/mcpTools.ts'
import { serveAgents } from './serveAgents.ts'

/** A server with an agent that asks four questions and books. Each request is served by a new process. */
async function bureau() {
  const journal = memoryJournal()
  const booked: unknown[] = []
  const make = () => {
    const book = tool({
      inputSchema: z.object({ people: z.number() }),
      approve: approval(),
      execute: async ({ people }, { ask, once }) => {
        const at = await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))
        const { name } = await ask(form({ prompt: 'Who?', schema: z.object({ name: z.string().min(2) }) }))
        await ask(link({ prompt: 'Pay', url: 'https://pay.example/x' }))
        const sure = await ask(confirm({ prompt: 'Sure?' }))
        return once('book', () => (sure ? booked.push({ people, at, name }) : 0))
      },
    })
    const model = scriptedModel(({ prompt }) =>
      prompt.some(({ role }) => role === 'tool') ? 'Booked.' : { calls: [{ name: 'book', input: { people: 2 } }] },
    )
    const guide = agent({ name: 'guide', model, tools: { book } })
    const codec = createRequestStateCodec<{ run: string }>({ key: 'a key for tests that is long enough.' })
    const server = new McpServer({ name: 'bureau', version: '1' }, { requestState: { verify: codec.verify } })
    serveAgents(server, { agents: { guide: { agent: guide, description: 'Books tables.' } }, journal, codec })
    return server
  }
  const world = new World()
  const { url } = await opened(serve(world, (request) => createMcpHandler(make).fetch(request)))
  return { url, booked, world }
}

const answers = { book: { approved: true }, When: '20:30', Who: { name: 'Ada' }, Pay: 'done', Sure: true }

it('asks the questions of its agent in an agent that calls it, and books once', async () => {
  const { url, booked, world } = await bureau()
  const run = caller(mcpTools(mcpClient({ url })), 'guide', { task: 'A table for two.' }).start('Go')
  const prompts = await answerAll(run, answers)

  expect(prompts).toHaveLength(5)
  expect(callOf(run)?.output).toBe('Booked.')
  expect(booked).toEqual([{ people: 2, at: '20:30', name: 'Ada' }])
  const states = world.of('tools/call').flatMap(({ body }) => body.params?.requestState ?? [])
  expect(new Set(states).size).toBe(5)
})

it('gives the same answer to a request that is sent twice', async () => {
  const { url, booked } = await bureau()
  const client = mcpClient({ url })
  const call = { name: 'guide', arguments: { task: 'A table.' } }
  const content = [{ approved: true }, { value: '19:00' }, { name: 'Ada' }, {}, { value: true }]
  let last: Parameters<typeof client.callTool>[0] = call
  for (const each of content) {
    const { inputRequests, requestState } = (await client.callTool(last)) as {
      inputRequests: object
      requestState: string
    }
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: each }]),
    )
    last = { ...call, inputResponses, requestState }
  }

  expect(await client.callTool(last)).toMatchObject({ content: [{ text: 'Booked.' }] })
  expect(await client.callTool(last)).toMatchObject({ content: [{ text: 'Booked.' }] })
  expect(booked).toHaveLength(1)
})

it.each([
  ['an answer that does not fit', { action: 'accept', content: { approved: 'perhaps' } }],
  ['an answer without its content', { action: 'accept', content: null }],
  ['an action that does not exist', { action: 'perhaps', content: { approved: true } }],
])('asks again after %s', async (_, given) => {
  const { url } = await bureau()
  const client = mcpClient({ url })
  const call = { name: 'guide', arguments: { task: 'A table.' } }
  const first = (await client.callTool(call)) as { inputRequests: object; requestState: string }
  const [key = ''] = Object.keys(first.inputRequests)
  const inputResponses = { [key]: given }
  const second = await client.callTool({ ...call, inputResponses, requestState: first.requestState })

  expect(second).toMatchObject({ resultType: 'input_required', inputRequests: first.inputRequests })
})

it('ends the run when a question that needs an answer is declined', async () => {
  const { url, booked } = await bureau()
  const run = caller(mcpTools(mcpClient({ url })), 'guide', { task: 'A table.' }).start('Go')
  await answerAll(run, { ...answers, Who: { $reply: 'declined' } })

  expect(callOf(run)?.error?.message).toContain('declined to answer')
  expect(booked).toEqual([])
})

it('continues no run that its state does not name', async () => {
  const { url } = await bureau()
  const call = { name: 'guide', arguments: { task: 'A table.' } }

  await expect(mcpClient({ url }).callTool({ ...call, requestState: 'forged' })).rejects.toThrow('requestState')
  await expect(mcpClient({ url }).callTool({ ...call, arguments: { task: '' } })).resolves.toMatchObject({
    isError: true,
  })
})

it('gives a client of 2025 an error in place of a question', async () => {
  const { url, booked } = await bureau()
  const client = mcpClient({ url, era: 'legacy' })

  const { isError, content } = await client.callTool({ name: 'guide', arguments: { task: 'A table.' } })

  expect([isError, booked]).toEqual([true, []])
  expect(content).toMatchObject([{ text: expect.stringContaining('2025-era connection') }])
})
