import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, freePorts } from '../../../../test/processes/freePorts.ts'
import { mcpClient, mcpTools, type OAuthLibrary, oauth } from '../index.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { type Example, startExample } from '../testing/officialExample.ts'
import { headlessProvider } from './headlessProvider.ts'

// The examples of the official library for servers of 2025, as they are published.

const started: Example[] = []
afterEach(() => {
  for (const example of started.splice(0)) example.end()
})

async function formExample(version: string) {
  const port = await freePort()
  const start = async (): Promise<void> =>
    void started.push(await startExample(version, 'elicitationFormExample', { env: { PORT: String(port) } }))
  await start()
  return { url: `http://localhost:${port}/mcp`, start }
}

describe.each(['1.24.3', '1.32.2'])('the examples of %s', (version) => {
  it('answers forms that a server asks on the stream of its session', async () => {
    const { url } = await formExample(version)
    const run = caller(mcpTools(mcpClient({ url })), 'create_event').start('Go')

    const prompts = await answerAll(run, {
      'Step 1': { title: 'Walk', description: 'Along the river' },
      'Step 2': { date: '2026-12-01', startTime: '10:00', duration: 60 },
    })

    expect(prompts).toHaveLength(2)
    expect(JSON.stringify(callOf(run)?.output)).toContain('Along the river')
  })

  it('refuses a form that asks for a password, and says so to the server', async () => {
    const { url } = await formExample(version)
    const run = caller(mcpTools(mcpClient({ url })), 'register_user').start('Go')

    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(callOf(run)).toMatchObject({ error: { message: expect.stringContaining('The question is not shown') } })
  })

  it('begins another session with a server that has restarted', async () => {
    const { url, start } = await formExample(version)
    const client = mcpClient({ url })
    await client.listTools()
    started.pop()?.end()
    await start()

    const run = caller(mcpTools(client), 'update_shipping_address').start('Go')
    await answerAll(run, { address: addressIn('Rome') })

    expect(JSON.stringify(callOf(run)?.output)).toContain('Rome')
  })

  it('reads a stream that the server ends and continues with', async () => {
    const port = await freePort()
    started.push(await startExample(version, 'ssePollingExample', { ports: { 3001: port } }))
    const run = caller(mcpTools(mcpClient({ url: `http://localhost:${port}/mcp` })), 'long-task').start('Go')

    await run.settled

    expect(callOf(run)?.output).toBe('Long task completed successfully!')
  })

  it('asks the user to open a page that a server needs, signed in by OAuth', async () => {
    const [port = 0, authPort = 0] = await freePorts(2)
    const env = { MCP_PORT: String(port), MCP_AUTH_PORT: String(authPort) }
    started.push(await startExample(version, 'elicitationUrlExample', { env }))
    const url = `http://localhost:${port}/mcp`
    const { provider, code } = await headlessProvider({}, '')
    const library: OAuthLibrary<never> = {
      auth,
      computeScopeUnion,
      extractWWWAuthenticateParams,
      isStrictScopeSuperset,
    }
    const client = mcpClient({ url, auth: oauth({ url, provider, load: async () => library, code }) })
    const tools = mcpTools(client, { only: ['payment-confirm'] })
    const run = caller(tools, 'payment-confirm', { cartId: 'c1' }).start('Go')

    const asked: unknown[] = []
    for (const reply of ['done', { $reply: 'declined' }]) {
      await expect
        .poll(() => run.state.asks.find(({ prompt }) => prompt.includes('payment confirmation')), { timeout: 20_000 })
        .toBeDefined()
      const ask = run.state.asks.find(({ prompt }) => prompt.includes('payment confirmation'))
      asked.push(ask)
      await run.reply(ask?.id ?? '', reply)
    }
    await expect.poll(() => callOf(run)?.error?.message).toContain('the user refused')

    const address = expect.stringContaining(`http://localhost:${port}/confirm-payment?`)
    expect(asked).toMatchObject([1, 2].map(() => ({ kind: 'link', url: address })))
  })
})

it('shows the questions of each run to its own user', async () => {
  // The example of earlier versions sends all questions to the session that it began last.
  const { url } = await formExample('1.32.2')
  const tools = mcpTools(mcpClient({ url }))
  const runs = ['London', 'Paris'].map((city) => ({
    city,
    run: caller(tools, 'update_shipping_address').start('Go'),
  }))

  const prompts = await Promise.all(runs.map(({ run, city }) => answerAll(run, { address: addressIn(city) })))

  expect(prompts.map(({ length }) => length)).toEqual([1, 1])
  for (const { run, city } of runs) expect(JSON.stringify(callOf(run)?.output)).toContain(city)
})

const addressIn = (city: string) => ({
  name: 'Ada',
  street: 'Long Road 1',
  city,
  state: 'XX',
  zipCode: '12345',
})
