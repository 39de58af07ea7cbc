import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { caller, callOf } from '../testing/agents.ts'
import { mcpTools } from '../tools/mcpTools.ts'
import type { McpAuth } from './auth.ts'
import { mcpClient } from './mcpClient.ts'

afterEach(() => void vi.useRealTimers())

const url = 'https://mcp.example.com/mcp'
const results: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {} },
  'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } }] },
  'tools/call': { content: [] },
}

interface Guarded {
  readonly era?: 'legacy'
  readonly consent: () => Promise<void>
  readonly refusal?: Promise<void>
  /** A method that needs no token. */
  readonly free?: string
}

/** A client of a server that wants a token, and the user who gives it when `consent` resolves. */
function guarded({ era, consent, refusal, free }: Guarded) {
  let token: string | undefined
  let refusals = 0
  const refuse: McpAuth['refuse'] = async (_, whileUserActs) => {
    await whileUserActs(consent)
    token = 'new'
    return true
  }
  const fetch = async (_: string, init: RequestInit): Promise<Response> => {
    const { id, method } = JSON.parse(String(init.body))
    if (method === free || new Headers(init.headers).has('authorization'))
      return Response.json({ jsonrpc: '2.0', id, result: results[method] ?? {} })
    if (++refusals === 2) await refusal
    return new Response(null, { status: 401 })
  }
  return mcpClient({ url, auth: { token: () => token, refuse }, fetch, ...(era && { era }) })
}

it.each(['modern', 'legacy'] as const)(
  'waits for a user who signs in for longer than a server may take: %s',
  async (era) => {
    vi.useFakeTimers()
    const consent = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 500_000))
    const client = guarded({ consent, ...(era === 'legacy' && { era }) })
    const run = agent({ name: 'x', model: scriptedModel('Done.'), tools: mcpTools(client) }).start('Go')

    await vi.advanceTimersByTimeAsync(500_000)

    expect(await run.settled).toMatchObject({ output: 'Done.' })
  },
)

it('does not count the time of a user who signs in for a call', async () => {
  vi.useFakeTimers()
  const consent = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 500_000))
  const run = caller(mcpTools(guarded({ consent, free: 'tools/list' })), 'x').start('Go')

  await vi.advanceTimersByTimeAsync(500_000)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(callOf(run)).toMatchObject({ output: '' })
})

it('counts the time of a renewal in which no user acts, and cancels no other request', async () => {
  vi.useFakeTimers()
  let isHanging = true
  let refuse = (): void => {}
  const refused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  const auth: McpAuth = {
    token: () => (isHanging ? undefined : 'new'),
    refuse() {
      refuse()
      return new Promise(() => {})
    },
  }
  const fetch = async (_: string, init: RequestInit): Promise<Response> => {
    const { id, method } = JSON.parse(String(init.body))
    const isFree = method !== 'tools/call' || new Headers(init.headers).has('authorization')
    return isFree
      ? Response.json({ jsonrpc: '2.0', id, result: results[method] ?? {} })
      : new Response(null, { status: 401 })
  }
  const tools = mcpTools(mcpClient({ url, auth, fetch }), { trustHints: true, timeoutMs: 4_000 })
  const hung = caller(tools, 'x').start('Go')
  await refused
  await vi.advanceTimersByTimeAsync(4_000)
  isHanging = false
  const well = caller(tools, 'x').start('Go')

  expect([await hung.settled, await well.settled]).toMatchObject([{ output: 'Done.' }, { output: 'Done.' }])
  expect(callOf(hung)?.error).toMatchObject({ code: 'tool_timeout' })
  expect(callOf(well)).toMatchObject({ output: '' })
})

it('gives up a renewal without an end for a call that is stopped', async () => {
  const client = guarded({ consent: () => new Promise(() => {}) })
  const stop = new AbortController()
  const call = client.callTool({ name: 'x', arguments: {} }, { signal: stop.signal })
  await Promise.resolve()

  stop.abort(new Error('Enough.'))

  await expect(call).rejects.toThrow('Enough.')
})

it('asks for no second consent if a refusal comes after the first', async () => {
  let release = (): void => {}
  const refusal = new Promise<void>((resolve) => {
    release = resolve
  })
  const consent = vi.fn(async () => {})
  const client = guarded({ consent, refusal })
  const calls = [1, 2].map(() => client.callTool({ name: 'x', arguments: {} }))

  await calls[0]
  release()
  await calls[1]

  expect(consent).toHaveBeenCalledOnce()
})
