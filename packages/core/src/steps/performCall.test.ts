import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { tool as sdkTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { invariant } from '../error.ts'
import {
  AgentError,
  agent,
  approval,
  confirm,
  elsewhere,
  type Run,
  type StartOptions,
  type ToolSet,
  tool,
} from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'

const inputSchema = z.object({ cents: z.number().max(1_000) })
const paid: number[] = []
const execute = ({ cents }: { cents: number }) => `paid ${paid.push(cents) && cents}`

const start = (tools: ToolSet, ...cents: number[]) => startWith({}, tools, cents)

function startWith(options: StartOptions, tools: ToolSet, cents: readonly number[]) {
  paid.length = 0
  const calls = cents.map((each) => ({ name: 'pay', input: { cents: each } }))
  const model = scriptedModel({ calls }, 'Done.')
  const run = agent({ name: 'a', model, tools }).start('Pay', { observers: [laws()], ...options })
  return { run, model, results: () => model.calls[1]?.prompt.at(-1)?.content }
}
const asked = ({ state }: Run) => state.asks.map(({ id }) => id)

it('asks a user before the tool runs, showing the input', async () => {
  const { run } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 500)

  const signal = await run.settled

  expect(signal).toMatchObject({
    type: 'inputNeeded',
    asks: [
      { kind: 'approval', id: '1/tool/0/approval', tool: 'pay', input: { cents: 500 }, schema: { type: 'object' } },
    ],
  })
  expect(paid).toEqual([])
})

it('runs the tool once it is approved', async () => {
  const { run, results } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 500)
  await run.settled

  await run.reply('1/tool/0/approval', { approved: true })
  await run.settled

  expect(results()).toMatchObject([{ output: { value: 'paid 500' } }])
})

it('refuses an edited input that does not fit, and keeps asking', async () => {
  const { run } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 500)
  await run.settled

  await expect(run.reply('1/tool/0/approval', { approved: true, input: { cents: 5_000 } })).rejects.toThrow('cents:')
  expect(asked(run)).toEqual(['1/tool/0/approval'])
  await run.reply('1/tool/0/approval', { approved: true, input: { cents: 50 } })
  await run.settled

  expect(paid).toEqual([50])
})

it.each([
  [{ approved: false, reason: 'Too much.' } as const, { type: 'execution-denied', reason: 'Too much.' }],
  [{ approved: false } as const, { type: 'execution-denied' }],
])('tells the model of the refusal %j', async (reply, output) => {
  const { run, results } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 500)
  await run.settled

  await run.reply('1/tool/0/approval', reply)
  await run.settled

  expect(results()).toEqual([{ type: 'tool-result', toolCallId: 'call-0-0', toolName: 'pay', output }])
  expect(paid).toEqual([])
})

it.each([[true], ['yes'], [{}], [{ approved: 'yes' }], [null]])('does not take %j for a decision', async (reply) => {
  const { run } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 500)
  await run.settled

  await expect(run.reply('1/tool/0/approval', reply)).rejects.toMatchObject({ code: 'reply_invalid' })
})

const overHundred = ({ cents }: { cents: number }) => cents > 100 && approval()

it.each<[string, ToolSet]>([
  ['a policy', { pay: tool({ inputSchema, execute, approve: overHundred }) }],
  ['an async policy', { pay: tool({ inputSchema, execute, approve: async (input) => overHundred(input) }) }],
])('asks by %s', async (_, tools) => {
  const { run } = start(tools, 50, 500)

  expect(await run.settled).toMatchObject({ asks: [{ id: '1/tool/1/approval' }] })
  expect(paid).toEqual([50])
})

it.each<[string, ToolSet]>([
  ['by default', { pay: tool({ inputSchema, execute }) }],
  ['needsApproval: false', { pay: sdkTool({ inputSchema, execute, needsApproval: false }) }],
])('asks no one: %s', async (_, tools) => {
  expect(await start(tools, 500).run.settled).toMatchObject({ type: 'answer' })
})

it('runs nothing when the policy itself fails', async () => {
  const approve = () => {
    throw new Error('no policy')
  }
  const { run, results } = start({ pay: tool({ inputSchema, execute, approve }) }, 500)

  await run.settled

  expect(paid).toEqual([])
  expect(results()).toMatchObject([{ output: { type: 'error-text', value: 'no policy' } }])
})

it('does not ask for the approval of an input that does not fit', async () => {
  const { run, results } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 5_000)

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(results()).toMatchObject([{ output: { type: 'error-text' } }])
})

it('decides several approvals in any order', async () => {
  const { run, results } = start({ pay: tool({ inputSchema, execute, approve: approval() }) }, 1, 2, 3)

  await run.settled
  await run.reply('1/tool/2/approval', { approved: true })
  await run.reply('1/tool/0/approval', { approved: false, reason: 'No.' })
  await run.reply('1/tool/1/approval', { approved: true })
  await run.settled

  expect(results()).toMatchObject([
    { output: { type: 'execution-denied' } },
    { output: { value: 'paid 2' } },
    { output: { value: 'paid 3' } },
  ])
  expect(paid).toEqual([3, 2])
})

it('keeps an approval over a reload, and asks only once', async () => {
  const tools = { pay: tool({ inputSchema, execute, approve: approval() }) }
  const { run } = start(tools, 500)
  await run.settled
  const log = JSON.parse(JSON.stringify(run.log))

  const after = await agent({ name: 'a', model: scriptedModel('Done.'), tools }).resume(savedRun(log), {
    observers: [laws(log)],
  })
  await after.reply('1/tool/0/approval', { approved: true, input: { cents: 7 } })

  expect(await after.settled).toMatchObject({ type: 'answer' })
  expect(paid).toEqual([7])
})

const never = () => new Promise<never>(() => {})

it.each<[string, ToolSet]>([
  ['the policy', { pay: tool({ inputSchema, execute, approve: never }) }],
  ['the schema', { pay: tool({ inputSchema: inputSchema.refine(never), execute }) }],
  ['the output for the model', { pay: tool({ inputSchema, execute, toModelOutput: never }) }],
])('stops while %s takes its time', async (_, tools) => {
  const { run } = start(tools, 500)
  await new Promise((resolve) => setTimeout(resolve, 5))

  await run.stop('Enough.')

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(run.state.history.flat().at(-1)).toMatchObject({ calls: [{ error: { code: 'stopped' } }] })
})

it('asks what to do with a call that was lost in the middle, as after a crash', async () => {
  let attempts = 0
  const lost = new AgentError('tool_interrupted', 'The line went dead.')
  const charge = () => (++attempts === 1 ? Promise.reject(lost) : `charged ${attempts}`)
  const { run, results } = startWith(
    { journal: memoryJournal() },
    { pay: tool({ inputSchema, execute: charge }) },
    [500],
  )

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  await run.reply('1/tool/0/interruption', 'again')
  await run.settled

  expect(results()).toMatchObject([{ output: { value: 'charged 2' } }])
})

it.each(['readOnly', 'idempotent'] as const)('runs a call that is %s and was lost again by itself', async (effect) => {
  let attempts = 0
  const lost = new AgentError('tool_interrupted', 'The line went dead.')
  const look = () => (++attempts < 3 ? Promise.reject(lost) : 'seen')
  const { run, results } = start({ pay: tool({ inputSchema, effect, execute: look }) }, 500)

  await run.settled

  expect(results()).toMatchObject([{ output: { value: 'seen' } }])
})

it('gives up on a call that is lost again and again', async () => {
  const execute = () => Promise.reject(new AgentError('tool_interrupted', 'The line is dead.'))
  const { run, results } = start({ pay: tool({ inputSchema, effect: 'readOnly', execute }) }, 500)

  await run.settled

  expect(results()).toMatchObject([{ output: { type: 'error-text', value: 'The line is dead.' } }])
})

const foreign = (code: 'journal_conflict' | 'invariant_broken') => () => {
  throw new AgentError(code, 'Of another run.')
}
const throwing: Record<string, (code: Parameters<typeof foreign>[0]) => ToolSet> = {
  'a policy': (code) => ({ pay: tool({ inputSchema, execute, approve: foreign(code) }) }),
  'an async policy': (code) => ({
    pay: tool({ inputSchema, execute, approve: async () => foreign(code)() }),
  }),
  'a schema': (code) => ({ pay: tool({ inputSchema: z.any().transform(foreign(code)), execute }) }),
  'a tool': (code) => ({ pay: tool({ inputSchema, execute: foreign(code) }) }),
  'the message of an agent': (code) => {
    const clerk = agent({ name: 'clerk', model: scriptedModel('Paid.') })
    return { pay: agentTool(clerk, { description: 'Pays.', inputSchema, toMessage: foreign(code) }) }
  },
}

it.each(
  Object.entries(throwing).flatMap(([name, tools]) =>
    (['journal_conflict', 'invariant_broken'] as const).map((code) => [name, code, tools(code)] as const),
  ),
)('tells the model of %s that throws %s of another run', async (_, __, tools) => {
  const { run, results } = start(tools, 500)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(JSON.stringify(results())).toContain('Of another run.')
  expect(paid).toEqual([])
})

it('measures the time of the tool alone, without what users take to approve and to answer', async () => {
  const host = manualHost()
  const book = tool({
    inputSchema,
    approve: approval(),
    async execute(_, { ask }) {
      await new Promise<void>((resolve) => host.timer(300, resolve))
      await ask(confirm({ prompt: 'Sure?' }))
      await new Promise<void>((resolve) => host.timer(40, resolve))
      return 'Booked.'
    },
  })
  const model = scriptedModel({ calls: [{ name: 'book', input: { cents: 5 } }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { book } }).start('Book', { host, observers: [laws()] })
  const settled = async (ms: number) => {
    const settling = run.settled
    await host.advance(ms)
    await settling
  }
  await settled(0)
  await host.advance(10_000)
  await run.reply('1/tool/0/approval', { approved: true })
  await settled(300)
  await host.advance(10_000)
  await run.reply('1/tool/0/ask/0', true)
  await settled(40)

  expect(run.log.find((event) => event.type === 'observed')).toMatchObject({ ms: 340 })
})

it.each([
  ['refused', { approved: false }],
  ['answered by the app', { approved: true }],
] as const)('measures no wait for an approval of a call that is %s', async (_, reply) => {
  const host = manualHost()
  const book = tool({ inputSchema, approve: approval(), execute: elsewhere(z.string()) })
  const model = scriptedModel({ calls: [{ name: 'book', input: { cents: 5 } }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { book } }).start('Book', { host, observers: [laws()] })
  await run.settled
  await host.advance(10_000)
  await run.reply('1/tool/0/approval', reply)
  const { type } = await run.settled
  await host.advance(70)
  if (type === 'inputNeeded') await run.reply('1/tool/0/ask/0', 'Booked.')
  await run.settled

  expect(run.log.find((event) => event.type === 'observed')).toMatchObject({ ms: reply.approved ? 70 : 0 })
})

it('keeps what a call did while others of its turn still work', async () => {
  const journal = memoryJournal()
  const hang = tool({ inputSchema, execute: () => new Promise<never>(() => {}) })
  const calls = ['pay', 'hang'].map((name) => ({ name, input: { cents: 5 } }))
  const described = agent({
    name: 'a',
    model: scriptedModel({ calls }),
    tools: { pay: tool({ inputSchema, execute }), hang },
  })
  const run = described.start('Pay', { journal })

  await expect.poll(async () => (await journal.read(run.id)).at(-1)).toMatchObject({ type: 'observed' })
  await run.stop()
})

it('ends the run where a rule does not hold that is checked while it works', async () => {
  const execute = () => invariant(false, 'I1', 'It would start too early.')
  const { run } = start({ pay: tool({ inputSchema, execute }) }, 500)

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'invariant_broken', message: 'I1 is broken: It would start too early.' },
  })
})
