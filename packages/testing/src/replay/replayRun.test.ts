import { type Agent, agent, approval, choice, type Run, reasonAct, type Step, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { END, graph, parallel, untilAnswer, wait } from '@interleave/core/graph'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { inOrder, sideCall } from '@interleave/core/steps'
import { play } from '@interleave/test-kit/crash/play'
import { scripts } from '@interleave/test-kit/crash/scripts'
import { World } from '@interleave/test-kit/crash/world'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../scriptedModel.ts'
import { replayRun, testRun } from './replayRun.ts'

const toolAfterAnother = scripts.filter(({ name }) => name === 'a tool after another')[0] as (typeof scripts)[number]

const booked: string[] = []
const book = (allow?: string) =>
  tool({
    inputSchema: z.object({ people: z.number() }),
    approve: approval(allow),
    async execute({ people }, { ask }) {
      const time = await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))
      booked.push(time)
      return `Booked for ${people} at ${time}.`
    },
  })
const waiter = (allow?: string) =>
  agent({
    name: 'waiter',
    model: scriptedModel({ text: 'I book.', calls: [{ name: 'book', input: { people: 2 } }] }, 'Booked.'),
    tools: { book: book(allow) },
  })

/** The file of a run that asked for an approval and a time; with a reload before the last reply. */
async function recorded({ reload = false } = {}) {
  const journal = memoryJournal()
  const described = waiter()
  let run = described.start('For two', { journal })
  await run.settled
  await run.reply('1/tool/0/approval', { approved: true })
  await run.settled
  if (reload) run = await described.resume(run.id, { journal })
  await run.reply('1/tool/0/ask/0', '20:30')
  await run.settled
  return JSON.parse(JSON.stringify(await exportRun(journal, run.id)))
}

it.each([false, true])(
  'replays a run with its agent and without one, and no tool runs; reloaded: %j',
  async (reload) => {
    const file = await recorded({ reload })
    const before = booked.length

    const withAgent = await testRun(file, { agent: waiter() })
    const alone = await testRun(file)

    expect(withAgent).toMatchObject({ isSame: true, compared: file.events.length })
    expect(alone).toMatchObject({ isSame: true, compared: file.events.length })
    expect(booked).toHaveLength(before)
  },
)

interface Replying {
  /** The place among the open questions of the one to answer; the first by default. */
  readonly at?: number
  readonly approval?: { readonly approved: boolean; readonly remember?: 'tool' }
}

/** The file of a run whose questions were answered one after the other. */
async function recordedBy(described: Agent, { at = 0, approval = { approved: true } }: Replying = {}) {
  const run = described.start('Go', { journal: memoryJournal() })
  for (let signal = await run.settled; signal.type === 'inputNeeded'; signal = await run.settled) {
    const ask = signal.asks.at(at) ?? signal.asks[0]
    await run.reply(ask.id, ask.kind === 'approval' ? approval : '19:00')
  }
  return JSON.parse(JSON.stringify(await exportRun(run)))
}

const slow = tool({
  inputSchema: z.object({}),
  approve: () => new Promise((resolve) => setTimeout(resolve, 20, approval())),
  execute: () => 'Late.',
})
const asking = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] })),
})
const quick = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'Now.' })

it.each([
  ['a call that asks beside one that needs an approval', ['book', 'asking']],
  ['a question before the approval of a slow policy', ['slow', 'asking', 'book']],
])('replays the calls of a turn in the order of the log: %s', async (_, names) => {
  const calls = names.map((name) => ({ name, input: name === 'book' ? { people: 2 } : {} }))
  const tools = { book: book(), slow, asking }
  const described = () => agent({ name: 'many', model: scriptedModel({ calls }, 'Done.'), tools })
  const file = await recordedBy(described())

  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
  expect(await replayRun(file)).toMatchObject({ isSame: true })
})

const when = () => choice({ prompt: 'When?', options: ['19:00', '20:30'] })
const twice = tool({
  inputSchema: z.object({}),
  execute: async (_, { ask }) => `${await ask(when())}, ${await ask(when())}`,
})
const both = tool({ inputSchema: z.object({}), execute: (_, { ask }) => Promise.all([ask(when()), ask(when())]) })
const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Paid.' })
const fails = tool({
  inputSchema: z.object({}),
  execute: () => {
    throw new Error('Closed.')
  },
})
const turn = (...names: string[]) => ({
  calls: names.map((name) => ({ name, input: name === 'help' ? { task: 'Pay' } : {} })),
})

/** Describes an agent with these turns, whose tool `help` is another agent, with turns of its own. */
function hosting(turns: readonly ReturnType<typeof turn>[], below: readonly ReturnType<typeof turn>[]): Agent {
  const model = scriptedModel(...below.flatMap((each) => [each, 'Helped.']))
  const helper = agent({ name: 'helper', model, tools: { twice, pay } })
  const help = agentTool(helper, { description: 'Helps.' })
  return agent({ name: 'host', model: scriptedModel(...turns, 'Done.'), tools: { help, twice, both, fails, pay } })
}

it.each<[string, () => Agent, Replying]>([
  ['asks for an approval', () => hosting([turn('help')], [turn('pay')]), {}],
  ['asks twice', () => hosting([turn('help')], [turn('twice')]), {}],
  ['asks beside a tool with two open questions', () => hosting([turn('both', 'help')], [turn('twice')]), { at: -1 }],
  [
    'needs no approval, since an earlier reply allowed its calls',
    () => hosting([turn('help'), turn('help')], [turn('pay'), turn('pay')]),
    { approval: { approved: true, remember: 'tool' } },
  ],
])('replays a child that %s, with its agent and without', async (_, described, replying) => {
  const file = await recordedBy(described(), replying)

  expect((await replayRun(file, { agent: described() })).difference).toBeUndefined()
  expect((await replayRun(file)).difference).toBeUndefined()
})

it('replays a call that was refused without its agent', async () => {
  const file = await recordedBy(waiter(), { approval: { approved: false } })

  expect((await replayRun(file)).difference).toBeUndefined()
})

it.each([
  ['after others have failed', turn('fails', 'fails', 'pay')],
  ['before one fails that has no tool', turn('both', 'absent')],
])('replays a call that begins %s', async (_, calls) => {
  const described = () => hosting([turn('pay'), calls], [])
  const file = await recordedBy(described(), { approval: { approved: true, remember: 'tool' } })

  expect((await replayRun(file, { agent: described() })).difference).toBeUndefined()
  expect((await replayRun(file)).difference).toBeUndefined()
})

it('replays a call that continues after a reload, next to one that may have run', async () => {
  const described = () => hosting([turn('twice', 'both')], [])
  const journal = memoryJournal()
  const before = described().start('Go', { journal })
  await before.settled
  await before.reply('1/tool/1/ask/1', '19:00')
  await before.settled
  const run = await described().resume(before.id, { journal })
  for (const call of ['1/tool/1/ask/0', '1/tool/0/ask/0', '1/tool/1/interruption', '1/tool/0/ask/1']) {
    await run.settled
    await run.reply(call, call.endsWith('interruption') ? 'again' : '20:30')
  }
  await run.settled

  expect((await replayRun(await exportRun(run), { agent: described() })).difference).toBeUndefined()
})

it('replays a child that a reload interrupted, without its agent', async () => {
  const described = () => hosting([turn('help', 'twice')], [turn('pay', 'twice')])
  const journal = memoryJournal()
  const before = described().start('Go', { journal })
  await before.settled
  await before.reply('1/tool/0>1/tool/1/ask/0', '19:00')
  await before.settled
  await before.reply('1/tool/1/ask/0', '19:00')
  await before.settled
  const run = await described().resume(before.id, { journal })
  for (const ask of ['1/tool/1/ask/1', '1/tool/0>1/tool/1/ask/1', '1/tool/0>1/tool/0/approval']) {
    await run.reply(ask, ask.endsWith('approval') ? { approved: true } : '20:30')
    await run.settled
  }

  expect((await replayRun(await exportRun(run))).difference).toBeUndefined()
})

it('replays a run of many turns without its agent, whose limits the log does not have', async () => {
  const turns = Array.from({ length: 30 }, () => ({ calls: [{ name: 'quick', input: {} }] }))
  const patient = agent({
    name: 'patient',
    model: scriptedModel(...turns, 'Done.'),
    tools: { quick },
    backend: reasonAct({ limits: { iterations: 50 } }),
  })

  expect(await replayRun(await recordedBy(patient))).toMatchObject({ isSame: true })
})

it('says the first difference in plain words, and where to fork', async () => {
  const { difference } = await replayRun(await recorded(), { agent: waiter('Really?') })

  expect(difference).toEqual({
    seq: 3,
    iteration: 1,
    recorded: '1 asked 1/tool/0/approval approval "Allow book?"',
    replayed: '1 asked 1/tool/0/approval approval "Really?"',
    message: 'At event 3, in turn 1, the recorded run asks "Allow book?"; the replay asks "Really?".',
    forkAt: 1,
  })
})

it('says which tool is gone, and what a tool that runs for real does otherwise', async () => {
  const file = await recorded()
  const without = agent({ name: 'waiter', model: scriptedModel(), tools: {} })

  await expect(testRun(file, { agent: without })).rejects.toThrow('There is no tool "book"')

  const offer = tool({ inputSchema: z.object({ people: z.number() }), approve: approval(), execute: () => 1 })
  const unasked = agent({ name: 'waiter', model: scriptedModel(), tools: { book: offer } })
  await expect(testRun(file, { agent: unasked, tools: 'agent' })).rejects.toThrow('the replay has book return 1')
})

it('calls the model of the agent if that is asked for', async () => {
  const other = agent({ name: 'waiter', model: scriptedModel('No.'), tools: { book: book() } })

  const { difference } = await replayRun(await recorded(), { agent: other, model: 'agent' })

  expect(difference?.message).toBe(
    'At event 2, in turn 1, the recorded run calls book({"people":2}); the replay has the model say "No.".',
  )
})

it('refuses what is not a run, and what needs its agent', async () => {
  await expect(replayRun({})).rejects.toThrow('it is not the file of a run')
  await expect(replayRun('{}')).rejects.toThrow('The file of the run is a text. Give JSON.parse(text).')
  await expect(replayRun(recorded())).rejects.toThrow('The file of the run is a promise. Await it first.')
  await expect(replayRun(await recorded(), { model: 'agent' })).rejects.toThrow('give the `agent`')
  const file = await recorded()
  file.events = [...file.events.slice(0, 2), { ...file.events[1], seq: 2, by: 'agent' }]
  await expect(replayRun(file)).rejects.toThrow('without its agent, because its agent reminds itself')
})

it('replays a run to where it was exported, at work after a crash', async () => {
  const { world } = await play(toolAfterAnother)
  const wrongs: string[] = []
  let replays = 0
  for (const after of world.ports.keys()) {
    const { logs } = await play(toolAfterAnother, { faults: [{ kind: 'crash', after }] })
    const [events = []] = [...logs.values()]
    const end = events.findIndex(({ type }) => type === 'observed') + 1
    const file = { format: 'interleave.debug', formatVersion: 1, events: events.slice(0, end), below: [], live: [] }
    const { difference } = await replayRun(file, { agent: toolAfterAnother.describe(new World().live()), idleMs: 100 })
    if (difference) wrongs.push(difference.message)
    replays++
  }
  expect(replays).toBeGreaterThan(10)
  expect(wrongs).toEqual([])
})

it('ends when it is aborted', async () => {
  await expect(replayRun(await recorded(), { signal: AbortSignal.abort(new Error('Enough.')) })).rejects.toThrow(
    'Enough.',
  )
})

it.each([1, 8, 20])('replays a turn of twelve calls that ran %s at a time', async (parallel) => {
  const timeout = tool({
    inputSchema: z.object({ ms: z.number() }),
    effect: 'readOnly',
    execute: ({ ms }) => new Promise<string>((resolve) => setTimeout(resolve, ms, `After ${ms} ms.`)),
  })
  const checked = z
    .object({ ms: z.number() })
    .refine((_) => new Promise<boolean>((resolve) => setTimeout(resolve, 5, true)))
  const calls = [...Array(12).keys()].map((n) => ({
    name: n % 3 === 0 ? 'checked' : 'patience',
    input: { ms: (n * 7) % 5 },
  }))
  const many = agent({
    name: 'many',
    model: scriptedModel({ calls }, 'Done.'),
    tools: { giveUpMs: timeout, checked: tool({ ...timeout, inputSchema: checked }) },
    backend: reasonAct({ act: { parallel } }),
  })
  const file = await recordedBy(many)

  expect(await replayRun(file, { agent: many })).toMatchObject({ isSame: true })
  expect(await replayRun(file)).toMatchObject({ isSame: true })
})

it('gives the model the instructions of each node while the tools are recorded', async () => {
  const taught = (instructions: string) => untilAnswer(Object.assign(inOrder(reasonAct()), { instructions }))
  const flow = graph({
    name: 'flow',
    nodes: { a: taught('Be brief.'), b: taught('Be kind.') },
    start: 'a',
    edges: { a: 'b', b: END },
  })
  const describe = (model = scriptedModel('One.', 'Two.')) => ({
    agent: agent({ name: 'a', model, instructions: 'Help.', backend: flow }),
    model,
  })
  const file = await recordedBy(describe().agent)
  const { agent: described, model } = describe()

  expect(await replayRun(file, { agent: described, model: 'agent' })).toMatchObject({ isSame: true })
  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(['Help.\n\nBe brief.', 'Help.\n\nBe kind.'])
})

it('replays a side call that failed, and one that answered', async () => {
  const usage = {
    inputTokens: { total: 70, noCache: 70, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  }
  const failing = [{ type: 'finish', finishReason: { unified: 'error', raw: 'error' }, usage } as const]
  const judging = (judge: ReturnType<typeof scriptedModel>): Step =>
    async function judged(run) {
      const ask = () => sideCall(run, { key: 'good', prompt: [{ role: 'system', content: 'Good?' }], models: [judge] })
      const verdict = await ask().catch(ask)
      run.replan({ instructions: `It is ${verdict}.` })
      return undefined
    }
  const described = (judge = scriptedModel()) =>
    agent({ name: 'a', model: scriptedModel('Done.'), backend: reasonAct({ before: [judging(judge)] }) })
  const errors = [failing, failing, failing]
  const file = await recordedBy(described(scriptedModel(...errors, 'good')))
  const noted = file.events.filter(({ type }: { type: string }) => type === 'noted')

  expect(noted).toMatchObject([{ value: { error: { code: 'model_failed' } } }, { value: 'good' }])
  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
})

interface Seating {
  ask(): Promise<string>
  reserve(): Promise<string>
  readonly isAsked: Promise<unknown>
}
it.each<[string, (seating: Seating) => Promise<string[]>]>([
  ['as it asks', ({ ask, reserve }) => Promise.all([ask(), reserve()])],
  ['before it asks', ({ ask, reserve }) => Promise.all([reserve(), ask()])],
  [
    'while it waits',
    async ({ ask, reserve, isAsked }) => {
      const answer = ask()
      await isAsked
      return [await reserve(), await answer]
    },
  ],
])('replays what a tool does once %s', async (_, work) => {
  let [showAsked, endReserving] = [() => {}, () => {}]
  const isAsked = new Promise<void>((resolve) => (showAsked = resolve))
  const reserved = new Promise<string>((resolve) => (endReserving = () => resolve('Table 7')))
  const seat = tool({
    inputSchema: z.object({}),
    execute: (_input, { ask, once }) =>
      work({
        ask: () => ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] })),
        reserve: () => once('reserve', () => reserved),
        isAsked,
      }),
  })
  const model = scriptedModel({ calls: [{ name: 'seat', input: {} }] }, 'Done.')
  const journal = memoryJournal()
  const run = agent({ name: 'a', model, tools: { seat } }).start('Go', { journal })
  const effects = () => run.log.map((event) => (event.type === 'effectBegun' ? event.name : ''))
  await run.settled
  showAsked()
  await expect.poll(effects).toContain('reserve')
  await run.reply('1/tool/0/ask/0', '20:30')
  endReserving()
  await run.settled

  expect(await testRun(await exportRun(journal, run.id))).toMatchObject({ isSame: true })
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Asks in its first turn. Its model takes time. */
const patient = () => {
  const turn = async (reply: string | { calls: { name: string; input: object }[] }) => {
    await sleep(20)
    return reply
  }
  const model = scriptedModel(
    () => turn({ calls: [{ name: 'asking', input: {} }] }),
    () => turn('Booked.'),
    () => turn('Booked again.'),
  )
  return agent({ name: 'patient', model, tools: { asking } })
}

it.each<[string, (run: Run) => Promise<void>]>([
  [
    'said more while the model worked on a later turn',
    async (run) => {
      await run.settled
      await run.reply('1/tool/0/ask/0', '19:00')
      await sleep(5)
      await run.say('And a seat outside.')
    },
  ],
  [
    'stopped the run at a question, and resumed it',
    async (run) => {
      await run.settled
      await run.stop()
      run.resume()
    },
  ],
  [
    'stopped the run at a question, and said more',
    async (run) => {
      await run.settled
      await run.stop()
      await run.say('Without a time.')
    },
  ],
])('replays a run in which the user %s', async (_, act) => {
  const run = patient().start('Go', { journal: memoryJournal() })
  await act(run)
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: patient() })).toMatchObject({ isSame: true })
  expect(await replayRun(file)).toMatchObject({ isSame: true })
})

it.each(['again', 'done', 'skip'])('replays a call whose time was up during an effect: %s', async (decision) => {
  const pays = () =>
    tool({
      inputSchema: z.object({}),
      timeoutMs: 10,
      execute: async (_, { once }) => once('pay', () => sleep(40).then(() => 'Paid.')),
    })
  const described = () =>
    agent({
      name: 'payer',
      model: scriptedModel({ calls: [{ name: 'pays', input: {} }] }, 'Done.'),
      tools: { pays: pays() },
    })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  await expect.poll(() => run.log.some((event) => event.type === 'noted' && event.key.endsWith('/once/pay'))).toBe(true)
  await run.reply('1/tool/0/interruption', decision)
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
})

it('replays a stop while an agent works as a tool', async () => {
  const described = () =>
    agent({
      name: 'boss',
      model: scriptedModel({ calls: [{ name: 'patient', input: { task: 'Book' } }] }, 'Done.'),
      tools: { patient: agentTool(patient(), { description: 'Books.' }) },
    })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  await run.stop()
  run.resume()
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
})

it('replays a stop at a question of a step', async () => {
  const pausing: Step = async (run) => {
    await run.ask('go', choice({ prompt: 'Go on?', options: ['yes', 'no'] }))
    return undefined
  }
  const described = () =>
    agent({ name: 'stepper', model: scriptedModel('Done.'), backend: reasonAct({ before: [pausing] }) })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  await run.stop()
  run.resume()
  await run.settled
  await run.reply('go', 'yes')
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
})

it('replays a branch that waits while another one works', async () => {
  const nodes = {
    sides: parallel({
      work: async () => void (await sleep(1)),
      // So long that the work is over before, also on a busy machine.
      pause: wait(400),
    }),
    sum: () => ({ type: 'answer', output: 'Done.', reason: 'completed' }) as const,
  }
  const edges = { sides: 'sum', sum: END } as const
  const described = () =>
    agent({
      name: 'a',
      model: scriptedModel('Unused.'),
      backend: graph({ name: 'g', nodes, start: 'sides', edges }),
    })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: described() })).toMatchObject({ isSame: true })
})

it('does not take a machine that is held up for a replay that has stopped', async () => {
  const standing: Step = async () => {
    const end = performance.now() + 150
    while (performance.now() < end);
    // A timer that is due comes before this one.
    await sleep(1)
    return undefined
  }
  const described = () =>
    agent({ name: 'a', model: scriptedModel('Done.'), backend: reasonAct({ before: [standing] }) })
  const run = described().start('Go', { journal: memoryJournal() })
  await run.settled
  const file = JSON.parse(JSON.stringify(await exportRun(run)))

  expect(await replayRun(file, { agent: described(), idleMs: 100 })).toMatchObject({ isSame: true })
})
