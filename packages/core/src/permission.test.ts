import { laws } from '@interleave/test-kit/laws'
import { until } from '@interleave/test-kit/until'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from './agents/index.ts'
import { messagesOf, staticRun } from './history/index.ts'
import { type Agent, type ApprovalOptions, agent, approval, type Run, type ToolSet, tool } from './index.ts'
import { exportRun, fork, importRun, memoryJournal, savedRun } from './journal/index.ts'
import type { ToolOptions } from './tool.ts'
import { pinned, pinsOf } from './tools/index.ts'

const inputSchema = z.object({ folder: z.string(), name: z.string().default('index') })
type Input = z.infer<typeof inputSchema>

const save = (input: object, name = 'save'): ScriptedTurn => ({ calls: [{ name, input }] })

/** An agent whose tool asks before each call, and the inputs that it ran with. */
function writer(turns: readonly ScriptedTurn[], options: Partial<ToolOptions<Input, unknown>> = {}) {
  const ran: Input[] = []
  const made = tool<Input, unknown>({
    description: 'Saves a file.',
    inputSchema: inputSchema as never,
    approve: approval(),
    execute: (input) => ran.push(input),
    ...options,
  })
  return { ran, agent: agent({ name: 'writer', model: scriptedModel(...turns), tools: { save: made } }) }
}
const by = (rule: ApprovalOptions) => ({ approve: approval({ ...rule }) }) as const

const start = (made: Agent, options = {}): Run => made.start('Go', { id: 'r', observers: [laws()], ...options })
/** The input that the run asks about. */
async function asked(run: Run): Promise<unknown> {
  const { type } = await run.settled
  const [ask] = run.state.asks
  return ask?.kind === 'approval' ? ask.input : type
}
async function approve(run: Run, more: object = {}): Promise<void> {
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, ...more })
}

it('asks no more about a tool that a user always allows, and the log says who allowed it', async () => {
  const { agent, ran } = writer([save({ folder: 'a' }), save({ folder: 'b' }), 'Done.'])
  const run = start(agent)

  await approve(run, { remember: 'tool' })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(ran).toEqual([
    { folder: 'a', name: 'index' },
    { folder: 'b', name: 'index' },
  ])
  expect(run.state.permissions).toMatchObject([{ id: '1/tool/0/approval', scope: 'tool', ask: { tool: 'save' } }])
  const types = run.log.flatMap(({ type, iteration }) => (iteration === 2 ? [type] : []))
  expect(types).toEqual(['thought', 'permitted', 'claimed', 'observed'])
  expect(run.log.find(({ type }) => type === 'permitted')).toMatchObject({
    by: '1/tool/0/approval',
    ask: { id: '2/tool/0/approval', input: { folder: 'b', name: 'index' } },
  })
  const calls = (of: Run) => messagesOf(of).flatMap((each) => (each.type === 'call' ? [each.permission] : []))
  expect(calls(run)).toEqual([undefined, '1/tool/0/approval'])
  expect(calls(staticRun(run.state))).toEqual(calls(run))
})

it('allows exactly this input, as the schema makes it, and asks about another', async () => {
  const again = save({ name: 'index', folder: 'a' })
  const { agent, ran } = writer([save({ folder: 'a' }), again, save({ folder: 'a', name: 'b' }), 'Done.'])
  const run = start(agent)

  await approve(run, { remember: 'input' })

  expect(await asked(run)).toEqual({ folder: 'a', name: 'b' })
  expect(ran).toHaveLength(2)
})

it('compares the input as it runs, and not as the model wrote it', async () => {
  let factor = 100
  const cents = z.object({ amount: z.number() }).transform(({ amount }) => ({ amount: amount * factor }))
  const { agent, ran } = writer([save({ amount: 5 }), save({ amount: 5 }), 'Done.'], { inputSchema: cents as never })
  const run = start(agent)
  await run.settled
  run.subscribe((event) => {
    if (event.type === 'observed') factor = 1_000
  })

  await approve(run, { remember: 'input' })

  expect(await asked(run)).toEqual({ amount: 5_000 })
  expect(ran).toEqual([{ amount: 500 }])
})

it('allows the input that the user wrote, and not the one of the model', async () => {
  const turns = [save({ folder: 'a' }), save({ folder: 'mine' }), save({ folder: 'a' }), 'Done.']
  const { agent, ran } = writer(turns)
  const run = start(agent)

  await approve(run, { remember: 'input', input: { folder: 'mine', name: 'index' } })

  expect(await asked(run)).toEqual({ folder: 'a', name: 'index' })
  expect(ran.map(({ folder }) => folder)).toEqual(['mine', 'mine'])
})

it('takes inputs with the same values of the keys that the tool names for the same', async () => {
  const turns = [save({ folder: 'a', name: '1' }), save({ folder: 'a', name: '2' }), save({ folder: 'b' })]
  const { agent, ran } = writer(turns, by({ rememberBy: ['folder'] }))
  const run = start(agent)
  await run.settled
  expect(run.state.asks[0]).toMatchObject({ rememberBy: ['folder'] })

  await approve(run, { remember: 'input' })

  expect(await asked(run)).toMatchObject({ folder: 'b' })
  expect(ran).toHaveLength(2)
})

it.each([
  ['never', 'tool'],
  ['never', 'input'],
  ['input', 'tool'],
  [undefined, 'everything'],
] as const)('refuses a reply that allows more than the tool lets it: %s, %s', async (most, remember) => {
  const { agent } = writer([save({ folder: 'a' }), 'Done.'], by(most ? { remember: most } : {}))
  const run = start(agent)

  await expect(approve(run, { remember })).rejects.toMatchObject({ code: 'reply_invalid' })
  await expect(run.reply('1/tool/0/approval', { approved: false, remember: 'tool' })).rejects.toMatchObject({
    code: 'reply_invalid',
  })

  await approve(run)
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.state.permissions).toBeUndefined()
})

it('refuses a rule that it does not know', () => {
  const made = (options: object) => () => approval(options as never)
  const given = (approve: unknown) => () => writer([], { approve: approve as never })

  expect(made({ remember: 'all' })).toThrow('"never", "input" or "tool"')
  expect(made({ rememberBy: [] })).toThrow('a list of keys')
  expect(made({ allows: 'once' })).toThrow('no option `allows`')
  for (const plain of ['always', 'never', true, { when: 'always' }])
    expect(given(plain)).toThrow('must be approval(), or a function')
})

it('asks each time about a tool that is not as it was reviewed', async () => {
  const pay = tool({ description: 'Pays.', inputSchema: z.object({}), execute: () => 'paid' })
  const tools = await pinned({ pay }, { pins: await pinsOf({ pay: { ...pay, description: 'Before.' } }) })
  const run = start(agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }), tools }))
  await run.settled

  expect(run.state.asks[0]).toMatchObject({ remember: 'never' })
})

it('lets a policy refuse a call of a tool that is always allowed', async () => {
  const { agent, ran } = writer([save({ folder: 'a' }), save({ folder: 'etc' }), 'Done.'], {
    approve: ({ folder }) => {
      if (folder === 'etc') throw new Error('Never there.')
      return approval()
    },
  })
  const run = start(agent)

  await approve(run, { remember: 'tool' })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(ran).toHaveLength(1)
  expect(JSON.stringify(run.log)).toContain('Never there.')
})

const changes: readonly (readonly [string, Partial<ToolOptions<Input, unknown>>])[] = [
  ['description', { description: 'Saves a file, and sends it away.' }],
  ['schema', { inputSchema: inputSchema.extend({ to: z.string().optional() }) as never }],
  ['effect', { effect: 'readOnly' }],
  ['rule', by({ remember: 'never' })],
  ['keys', by({ rememberBy: ['name'] })],
]
it.each(changes)('asks again when the %s of the tool has changed since', async (_, change) => {
  const journal = memoryJournal()
  const first = writer([save({ folder: 'a' }), 'Done.'])
  const run = start(first.agent, { journal })
  await approve(run, { remember: 'tool' })
  await run.settled

  const later = await writer([save({ folder: 'b' }), 'Done.'], change).agent.resume('r', { journal })
  await later.say('More')
  expect(await asked(later)).toMatchObject({ folder: 'b' })

  const same = await fork(writer([save({ folder: 'b' }), 'Done.']).agent, 'r', { at: run.log.length - 1, journal })
  await same.say('More')
  expect(await same.settled).toMatchObject({ output: 'Done.' })
})

it('asks again after it is taken back, once and for all', async () => {
  const { agent, ran } = writer([save({ folder: 'a' }), 'Done.', save({ folder: 'b' })])
  const run = start(agent)
  await approve(run, { remember: 'tool' })
  await run.settled

  await run.revoke('1/tool/0/approval')
  await run.revoke('1/tool/0/approval')
  await run.revoke('unknown')

  expect(run.state.permissions).toEqual([])
  expect(run.state.signal).toMatchObject({ type: 'answer' })
  expect(run.log.filter(({ type }) => type === 'revoked')).toHaveLength(1)
  await run.say('More')
  expect(await asked(run)).toMatchObject({ folder: 'b' })
  expect(ran).toHaveLength(1)
})

it('leaves a question open that another version of the tool asked, though this version is allowed', async () => {
  const both = { calls: ['a', 'b'].map((folder) => ({ name: 'save', input: { folder } })) }
  const [first, newer, older] = [writer([both]), writer([], { description: 'Saves.' }), writer(['Done.'])]
  const journal = memoryJournal()
  const run = start(first.agent, { journal })
  await approve(run, { remember: 'tool' })
  await until(() => run.state.signal)
  const page = await newer.agent.resume('r', { journal })
  await until(() => page.state.asks[0]?.id.includes('~re') && page.state.signal)

  const again = await older.agent.resume('r', { journal })
  await until(() => again.state.asks[0]?.id !== page.state.asks[0]?.id && again.state.signal)
  for (const ask of again.state.asks) await again.reply(ask, { approved: false })

  expect(await again.settled).toMatchObject({ output: 'Done.' })
  expect(older.ran).toEqual([])
})

it('clears what was allowed in a file, and keeps it in a fork', async () => {
  const journal = memoryJournal()
  const begun = writer([save({ folder: 'a' }), 'Done.'])
  const run = start(begun.agent, { journal })
  await approve(run, { remember: 'tool' })
  await run.settled
  const file = await exportRun(journal, 'r')
  const next = () => writer([save({ folder: 'b' }), 'Done.']).agent

  const elsewhere = memoryJournal()
  const imported = await next().resume(await importRun(file, { journal: elsewhere }), { journal: elsewhere })
  expect(imported.state.permissions).toBeUndefined()
  await imported.say('More')
  expect(await asked(imported)).toMatchObject({ folder: 'b' })

  const forkedFile = await fork(next(), file)
  expect(forkedFile.state.permissions).toBeUndefined()

  const forked = await fork(next(), 'r', { journal })
  await forked.say('More')
  expect(await forked.settled).toMatchObject({ output: 'Done.' })
})

it('gives a log no permission that its question does not offer', async () => {
  const { agent } = writer([save({ folder: 'a' }), 'Done.'], by({ remember: 'never' }))
  const run = start(agent)
  await approve(run)
  await run.settled
  const log = run.log.map((event) =>
    event.type === 'replied' ? { ...event, value: { approved: true, remember: 'tool' } } : event,
  )

  const resumed = await writer([save({ folder: 'b' })]).agent.resume(savedRun(log))

  expect(resumed.state.permissions).toBeUndefined()
})

it('remembers the latest hundred', async () => {
  const calls = Array.from({ length: 120 }, (_, index) => ({ name: 'save', input: { folder: `${index}` } }))
  const { agent } = writer([{ calls }, save({ folder: '119' }), save({ folder: '0' })])
  const run = start(agent)
  for (const _ of calls) await approve(run, { remember: 'input' })

  expect(await asked(run)).toMatchObject({ folder: '0' })
  expect(run.state.permissions).toHaveLength(100)
})

it('runs a call whose earlier permission was recorded before a crash, without a question', async () => {
  const { agent } = writer([save({ folder: 'a' }), save({ folder: 'b' }), 'Done.'])
  const run = start(agent)
  await approve(run, { remember: 'tool' })
  await run.settled
  const end = run.log.findIndex(({ type }) => type === 'permitted') + 1
  const later = writer(['Done.'])

  const resumed = await later.agent.resume(savedRun(run.log.slice(0, end)))

  expect(await resumed.settled).toMatchObject({ output: 'Done.' })
  expect(later.ran).toMatchObject([{ folder: 'b' }])
})

it('keeps what a child run is allowed in the run above, for that agent alone', async () => {
  const paid: string[] = []
  const pay = (who: string) => tool({ inputSchema: z.object({}), approve: approval(), execute: () => paid.push(who) })
  const child = (name: string) =>
    agent({
      name,
      model: scriptedModel(save({}, 'pay'), save({}, 'pay'), 'Paid.', save({}, 'pay'), 'Paid.', save({}, 'pay')),
      tools: { pay: pay(name) },
    })
  const tools: ToolSet = {
    buyer: agentTool(child('buyer'), { description: 'Buys.' }),
    seller: agentTool(child('seller'), { description: 'Sells.' }),
    pay: pay('parent'),
  }
  const go = (name: string) => save(name === 'pay' ? {} : { task: 'Go' }, name)
  const model = scriptedModel(go('buyer'), go('buyer'), go('seller'), go('pay'), go('buyer'), 'Done.')
  const journal = memoryJournal()
  const run = start(agent({ name: 'parent', model, tools }), { journal })

  await approve(run, { remember: 'tool' })
  await run.settled

  expect(paid).toEqual(['buyer', 'buyer', 'buyer'])
  expect(run.state.permissions).toMatchObject([{ ask: { tool: 'pay', from: { agent: 'buyer' } } }])
  expect(run.state.asks).toMatchObject([{ from: { agent: 'seller' } }])
  const ofChild = await journal.read('r/1/tool/0')
  expect(ofChild.filter(({ type }) => type === 'permitted')).toEqual([])

  await approve(run)
  await run.settled
  await approve(run)
  expect(await asked(run)).toEqual({})
  expect(run.state.asks).toMatchObject([{ tool: 'pay' }])
  expect(run.state.asks[0]).not.toHaveProperty('from')

  await run.revoke(run.state.permissions?.[0]?.id ?? '')
  await approve(run)
  await run.settled
  expect(run.state.asks).toMatchObject([{ from: { agent: 'buyer' } }])
})

it('keeps what a child run is allowed for the tool by which it was called, though agents have one name', async () => {
  const paid: string[] = []
  const pay = (who: string) => tool({ inputSchema: z.object({}), approve: approval(), execute: () => paid.push(who) })
  const clerk = (who: string) =>
    agent({ name: 'clerk', model: scriptedModel(save({}, 'pay'), 'Paid.'), tools: { pay: pay(who) } })
  const desk = (who: string) =>
    agent({
      name: 'desk',
      model: scriptedModel(save({ task: 'Go' }, 'ask'), 'Paid.'),
      tools: { ask: agentTool(clerk(who), { description: 'Pays.' }) },
    })
  const tools: ToolSet = {
    own: agentTool(clerk('own'), { description: 'Pays here.' }),
    foreign: agentTool(desk('foreign'), { description: 'Pays there.' }),
  }
  const turns = [save({ task: 'Go' }, 'own'), save({ task: 'Go' }, 'foreign'), 'Done.']
  const run = start(agent({ name: 'parent', model: scriptedModel(...turns), tools }), { journal: memoryJournal() })

  await approve(run, { remember: 'tool' })
  await run.settled
  expect(paid).toEqual(['own'])
  expect(run.state.asks).toMatchObject([{ tool: 'pay', from: { agent: 'clerk', via: ['foreign', 'ask'] } }])
  await approve(run, { remember: 'tool' })
  await run.settled

  expect(run.state.permissions).toMatchObject([
    { ask: { from: { via: ['own'] } } },
    { ask: { from: { via: ['foreign', 'ask'] } } },
  ])
})

it('asks again about a call that was allowed and has not begun when the permission is taken back', async () => {
  const { agent, ran } = writer([save({ folder: 'a' }), save({ folder: 'b' }), 'Done.'])
  const run = start(agent, { journal: memoryJournal() })
  run.subscribe(({ type }) => {
    if (type === 'permitted') void run.revoke('1/tool/0/approval')
  })
  await approve(run, { remember: 'tool' })

  expect(await asked(run)).toEqual({ folder: 'b', name: 'index' })
  expect(ran).toHaveLength(1)
  await approve(run)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(ran).toHaveLength(2)
})

it.each([false, true])(
  'asks again about an allowed call whose start found no room, if the permission was taken back: loaded again %s',
  async (isLoaded) => {
    const store = memoryJournal()
    let isFull = false
    const journal: typeof store = {
      ...store,
      append(id, events, options) {
        if (isFull && events.some(({ type }) => type === 'claimed')) throw new Error('There is no room.')
        return store.append(id, events, options)
      },
    }
    const { agent, ran } = writer([save({ folder: 'a' }), save({ folder: 'b' }), 'Done.', 'Done.'])
    const first = start(agent, { journal })
    first.subscribe(({ type }) => {
      isFull ||= type === 'permitted'
    })
    await approve(first, { remember: 'tool' })
    expect(await first.settled).toMatchObject({ type: 'failed' })
    isFull = false

    const run = isLoaded ? await agent.resume('r', { journal: store }) : first
    await run.revoke('1/tool/0/approval')
    run.resume()

    expect(await asked(run)).toEqual({ folder: 'b', name: 'index' })
    expect(ran).toHaveLength(1)
  },
)

it('compares the whole input where it lacks a member that decides', async () => {
  const { agent } = writer(
    [save({ folder: 'a', name: 'x' }), save({ folder: 'a', name: 'y' }), 'Done.'],
    by({ remember: 'input', rememberBy: ['fodler'] }),
  )
  const run = start(agent)
  await approve(run, { remember: 'input' })

  expect(await asked(run)).toEqual({ folder: 'a', name: 'y' })
})
