import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { eventually } from '@interleave/test-kit/eventually'
import { scriptedModel } from '@interleave/testing'
import { jsonSchema } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, approval, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { initialState } from './state.ts'

/** Changes every object in a prompt, as a careless middleware may. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof URL) return
  for (const member of Object.values(value)) spoil(member)
  if (Array.isArray(value)) value.push('spoiled')
  else Object.assign(value, { text: 'spoiled', spoiled: true })
}

const png = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } } as const
const metadata = { provider: { signature: { of: 'this' } } }
const history: LanguageModelV4Message[] = [
  { role: 'system', content: 'Be brief.', providerOptions: metadata },
  { role: 'user', content: [{ type: 'text', text: 'Before' }, png], providerOptions: metadata },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: { at: { n: 1 } }, providerOptions: metadata },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c', toolName: 'look', output: { type: 'json', value: { seen: [1] } } },
      { type: 'tool-result', toolCallId: 'd', toolName: 'look', output: { type: 'content', value: [png] } },
    ],
  },
]

it('I6: a model that changes its prompt changes neither the log nor the state', async () => {
  const tools = {
    look: tool({ inputSchema: z.object({ at: z.object({ n: z.number() }) }), execute: () => ({ seen: [{ n: 1 }] }) }),
    show: tool({
      inputSchema: z.object({}),
      execute: () => 'shown',
      toModelOutput: () => ({ type: 'content', value: [{ type: 'text', text: 'Shown' }, png] }),
    }),
  }
  const calls = [
    { name: 'look', input: { at: { n: 1 } } },
    { name: 'show', input: {} },
  ]
  const turns = [{ reasoning: 'Hm.', text: 'Let me look.', calls }, { calls }, 'Done.']
  const model = scriptedModel(
    ...turns.map((turn) => ({ prompt }: { prompt: unknown }) => {
      spoil(prompt)
      return turn
    }),
  )
  const journal = memoryJournal()
  const said = [{ type: 'text', text: 'Go' }, png] as const
  const run = agent({ name: 'a', model, tools }).start([...said], { id: 'r', history, journal })

  expect(await run.settled).toMatchObject({ type: 'answer' })

  expect(model.calls).toHaveLength(3)
  expect(run.log).toEqual(await journal.read('r'))
  expect(JSON.stringify(run.state)).not.toContain('spoiled')
  expect(JSON.stringify(history)).not.toContain('spoiled')
})

it('I6: a model that changes its tools changes them for no turn, no other agent, and no question', async () => {
  const schema = () => ({
    type: 'object' as const,
    properties: { to: { type: 'string' as const, enum: ['ann', 'bob'] } },
    required: ['to'],
  })
  const inputSchema = jsonSchema(schema())
  const send = tool({
    description: 'Sends.',
    inputSchema,
    approve: approval(),
    execute: () => 'sent',
  })
  const calls = [{ name: 'send', input: { to: 'ann' } }]
  const seen: unknown[] = []
  const model = scriptedModel(
    ...[{ calls }, { calls }, 'Done.'].map((turn) => ({ tools }: { tools?: unknown }) => {
      seen.push(structuredClone(tools))
      spoil(tools)
      return turn
    }),
  )

  const run = agent({ name: 'a', model, tools: { send } }).start('Go')
  await run.settled

  expect(run.state.asks[0]).toMatchObject({ kind: 'approval', schema: schema() })
  run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  await eventually(() => expect(seen).toHaveLength(2))
  expect(seen[1]).toEqual(seen[0])
  expect(await inputSchema.jsonSchema).toEqual(schema())
})

it('I6: new runs share nothing that can change', () => {
  const isFixed = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFixed))

  expect(isFixed(initialState)).toBe(true)
})
