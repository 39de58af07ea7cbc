import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkLog } from './checkLog.ts'
import { agent, reasonAct, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { scriptedModel } from './testing/index.ts'
import { bitFlip, damage } from './testing/mutateLog.ts'

const finish = (unified: string) => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 3, noCache: 1, cacheRead: 1, cacheWrite: 1 },
    outputTokens: { total: 2, text: 1, reasoning: 1 },
    raw: { a: 1 },
  },
  providerMetadata: { p: { b: [1, { c: null }] } },
})
const providerMetadata = { p: { signature: 'x' } }
/** A turn with parts of every kind. */
const parts: readonly unknown[] = [
  { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }] },
  { type: 'response-metadata', id: 'r1', modelId: 'm' },
  { type: 'reasoning-start', id: '0', providerMetadata },
  { type: 'reasoning-delta', id: '0', delta: 'Hm.', providerMetadata },
  { type: 'reasoning-end', id: '0', providerMetadata },
  { type: 'text-start', id: '1', providerMetadata },
  { type: 'text-delta', id: '1', delta: 'Hi.' },
  { type: 'text-end', id: '1', providerMetadata },
  { type: 'source', sourceType: 'url', id: 's', url: 'https://a.b', title: 'A', providerMetadata },
  { type: 'custom', kind: 'p.k', providerMetadata },
  { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'AAAA' }, providerMetadata },
  { type: 'reasoning-file', mediaType: 'text/plain', data: { type: 'data', data: 'AAAA' }, providerMetadata },
  { type: 'tool-input-start', id: 'c1', toolName: 'look' },
  { type: 'tool-input-delta', id: 'c1', delta: '{}' },
  { type: 'tool-input-end', id: 'c1' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"a":[{"b":1}]}', providerMetadata },
  { type: 'tool-call', toolCallId: 'c2', toolName: 'search', input: '{}', providerExecuted: true, providerMetadata },
  { type: 'tool-result', toolCallId: 'c2', toolName: 'search', result: { found: [1, { x: null }] }, providerMetadata },
  { type: 'tool-approval-request', approvalId: 'p1', toolCallId: 'c2', providerMetadata },
  finish('tool-calls'),
]

/** Whatever a provider sends, what is written of it can be read again, as it was. */
async function expectReadable(stream: unknown): Promise<void> {
  const journal = memoryJournal()
  const look = tool({ inputSchema: z.any(), execute: () => 'seen' })
  const model = scriptedModel(stream as never, 'Done.')
  const backend = reasonAct({ think: { retries: 0 } } as never)
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go', { id: 'r', journal })
  const { type } = await run.settled
  const stored: unknown = JSON.parse(JSON.stringify(await journal.read('r')))

  expect(type).toMatch(/answer|failed|inputNeeded/)
  expect(checkLog(stored, { runId: 'r' })).toHaveLength(run.state.seq)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}

it.each([
  ['damaged', damage],
  ['flipped', bitFlip],
])(
  'writes nothing that cannot be read again, whatever a provider sends: %s',
  async (_, harms) => {
    await fc.assert(
      fc.asyncProperty(harms, async (harm) => {
        const stream = harm(parts)
        if (Array.isArray(stream)) await expectReadable(stream)
      }),
      { numRuns: 200 },
    )
  },
  60_000,
)

const hostile = JSON.parse(`{"p":{"__proto__":{"polluted":1},"deep":${'['.repeat(150)}${']'.repeat(150)},"kept":1}}`)

it.each(parts.map((part) => (part as { type: string }).type))(
  'keeps a run whose provider sends hostile data with %s',
  async (type) => {
    const members = {
      providerMetadata: hostile,
      result: hostile,
      warnings: [hostile],
      finishReason: { unified: 'stop', raw: hostile },
    }
    const stream = parts.map((part) => {
      const own = Object.entries(members).filter(([key]) => key in (part as object) || key === 'providerMetadata')
      return (part as { type: string }).type === type ? { ...(part as object), ...Object.fromEntries(own) } : part
    })

    await expectReadable(stream)
  },
)
