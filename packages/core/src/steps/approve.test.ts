import { providerCall } from '@interleave/test-kit/providerParts'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, approval, tool } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'

it.each([
  [{ approved: true } as const, { approved: true }],
  [{ approved: false, reason: 'Too risky.' } as const, { approved: false, reason: 'Too risky.' }],
])('answers a provider that asks to run its own tool with %j', async (reply, response) => {
  const model = scriptedModel(providerCall, 'Done.')
  const run = agent({ name: 'cleaner', model }).start('Delete 7', { journal: memoryJournal() })

  const signal = await run.settled
  await run.reply('1/tool/0/approval', reply)
  await run.settled

  expect(signal).toMatchObject({ asks: [{ kind: 'approval', tool: 'mcp.delete', input: { id: 7 } }] })
  expect(model.calls[1]?.prompt.at(-1)).toEqual({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: 'a1', ...response }],
  })
})

it('fails a run in which no one can be asked about a call of the provider, and continues once a user can', async () => {
  const model = scriptedModel(providerCall, 'Done.')
  const run = agent({ name: 'cleaner', model }).start('Delete 7', { id: 'r' })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid' } })
  const after = await agent({ name: 'cleaner', model }).resume(savedRun(JSON.parse(JSON.stringify(run.log))))
  after.resume()

  expect(await after.settled).toMatchObject({ type: 'inputNeeded', asks: [{ tool: 'mcp.delete' }] })
})

it('does not allow a call of a provider when the user stops instead of answering', async () => {
  const model = scriptedModel(providerCall, 'Done.')
  const run = agent({ name: 'cleaner', model }).start('Delete 7', { journal: memoryJournal() })
  await run.settled

  await run.stop()
  await run.say('And now?')
  await run.settled

  expect(model.calls[1]?.prompt.find(({ role }) => role === 'tool')).toMatchObject({
    content: [{ type: 'tool-approval-response', approvalId: 'a1', approved: false }],
  })
})

it.each<[string, () => never]>([
  ['throws what cannot be read', () => unreadable()],
  ['asks with what cannot be read', () => ({ toString: unreadable }) as never],
])('fails the call alone if its policy %s', async (_, approve) => {
  const pay = tool({ inputSchema: z.object({}), approve: () => approve(), execute: () => 'paid' })
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')

  await run.settled
  const [ask] = run.state.asks
  if (ask) await run.reply(ask, { approved: false, reason: 'No.' })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})

function unreadable(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  throw proxy
}

it('shows the input as it will run', async () => {
  const inputSchema = z.object({ cents: z.number(), currency: z.string().default('EUR') })
  const pay = tool({ inputSchema, approve: approval(), execute: ({ cents }) => cents })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { cents: 500 } }] }, 'Paid.')

  const signal = await agent({ name: 'payer', model, tools: { pay } }).start('Pay').settled

  expect(signal).toMatchObject({ asks: [{ kind: 'approval', input: { cents: 500, currency: 'EUR' } }] })
})

it('asks with the words of the policy', async () => {
  const pay = tool({
    inputSchema: z.object({ cents: z.number() }),
    approve: ({ cents }) => cents > 100 && approval(`Pay ${cents / 100} euros?`),
    execute: ({ cents }) => cents,
  })
  const model = scriptedModel({ calls: [50, 500].map((cents) => ({ name: 'pay', input: { cents } })) }, 'Paid.')

  const signal = await agent({ name: 'payer', model, tools: { pay } }).start('Pay').settled

  expect(signal).toMatchObject({ asks: [{ id: '1/tool/1/approval', prompt: 'Pay 5 euros?', input: { cents: 500 } }] })
})

it('shows the model the input that a user changed', async () => {
  const pay = tool({ inputSchema: z.object({ cents: z.number() }), approve: approval(), execute: ({ cents }) => cents })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { cents: 500 } }] }, 'Paid.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')

  await run.settled
  await run.reply('1/tool/0/approval', { approved: true, input: { cents: 5 } })
  await run.settled

  expect(model.calls[1]?.prompt.at(-2)).toMatchObject({ content: [{ type: 'tool-call', input: { cents: 5 } }] })
  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({ content: [{ output: { type: 'json', value: 5 } }] })
})

it.each([
  ['a number', () => 5, 'a value of the type number'],
  ['a promise of a number', async () => 5, 'a value of the type number'],
  ['null', () => null, 'null'],
  ['nothing', () => {}, 'a value of the type undefined'],
])('does not run a call whose policy decides %s', async (_, approve, words) => {
  const ran: unknown[] = []
  const inputSchema = z.object({})
  const pay = { inputSchema, approve, execute: () => ran.push(1) }
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  await run.settled

  expect(ran).toEqual([])
  expect(run.log.find(({ type }) => type === 'observed')).toMatchObject({
    error: {
      code: 'options_invalid',
      message: `The \`approve\` of the tool "pay" returned ${words}. Return false, approval(), or approval('Pay it?').`,
    },
  })
})
