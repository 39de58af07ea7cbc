import { collect } from '@interleave/test-kit/collect'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, answer, form, reasonAct, type ToolContext, text, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { eventsOf } from '../log/runEvents.ts'
import { agentTool } from './index.ts'

const inputSchema = z.object({})
const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
const task = { task: 'Find it' }

const plain = agent({ name: 'helper', model: scriptedModel('Helped.') })
const asking = (below: Agent, ...turns: ScriptedTurn[]): Agent<string> =>
  agent({
    name: 'boss',
    model: scriptedModel(...turns),
    tools: { help: agentTool(below, { description: 'Helps.' }) },
  })
const twice = { calls: [1, 2].map((n) => ({ name: 'help', input: { task: `Part ${n}` } })) }

it('runs several at once, and settles when each of them waits', async () => {
  const names = ['Part 1', 'Part 2']
  const slow = tool({ inputSchema, execute: (_, { ask }) => ask(text({ prompt: 'Well?' })) })
  const turn: ScriptedTurn = ({ prompt }) => (prompt.length === 1 ? call('slow') : JSON.stringify(prompt.at(-1)))
  const below = agent({ name: 'helper', model: scriptedModel(turn, turn, turn, turn), tools: { slow } })
  const run = asking(below, twice, 'Done.').start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'Well?' }, { prompt: 'Well?' }] })
  const ids = names.map((_, n) => `1/tool/${n}>1/tool/0/ask/0`)
  expect(run.state.asks.map(({ id }) => id)).toEqual(ids)

  await run.reply(ids[1] ?? '', 'second')
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: ids[0] }] })
  await run.reply(ids[0] ?? '', 'first')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  const [, turnOf] = run.state.history.flat()
  expect(JSON.stringify(turnOf)).toMatch(/first.*second/)
})

it('does not rest while the child agent still works next to its question', async () => {
  let finish = (): void => {}
  const work = tool({ inputSchema, execute: () => new Promise<string>((resolve) => (finish = () => resolve('ok'))) })
  const ask = tool({ inputSchema, execute: (_, context) => context.ask(text({ prompt: 'Well?' })) })
  const both = { calls: ['ask', 'work'].map((name) => ({ name, input: {} })) }
  const below = agent({ name: 'helper', model: scriptedModel(both, 'Helped.'), tools: { ask, work } })
  const run = asking(below, call('help', task), 'Done.').start('Go')
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(run.state).toMatchObject({ asks: [{ prompt: 'Well?' }] })
  expect(run.state.signal).toBeUndefined()

  finish()

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
})

it('gives a typed answer as JSON, and takes an input of its own', async () => {
  const output = z.object({ sum: z.number() })
  const model = scriptedModel(call('final_answer', { sum: 3 }))
  const adder = agent({ name: 'adder', model, output: answer(output) })
  const add = agentTool(adder, {
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    toMessage: ({ a, b }) => `Add ${a} and ${b}.`,
  })
  const run = agent({ name: 'a', model: scriptedModel(call('add', { a: 1, b: 2 }), 'Three.'), tools: { add } }).start(
    'Go',
  )
  await run.settled

  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result: { type: 'json', value: { sum: 3 } } }] })
  expect(model.calls[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Add 1 and 2.' }] }])
})

it('tells the model that the agent failed', async () => {
  const below = agent({ name: 'helper', model: scriptedModel(new Error('down')) })
  const run = asking(below, call('help', task), 'Pity.').start('Go')

  expect(await run.settled).toMatchObject({ output: 'Pity.' })

  expect(run.state.history.flat()[1]).toMatchObject({
    calls: [{ error: { code: 'model_failed', message: 'The agent "helper" failed: down' } }],
  })
})

it('asks at the top whether a limit below is to be extended', async () => {
  const limited = (): Agent<string> => {
    const look = tool({ inputSchema, execute: () => 'ok' })
    const backend = reasonAct({ limits: { iterations: 1 } })
    return agent({ name: 'helper', model: scriptedModel(call('look'), 'Helped.'), tools: { look }, backend })
  }
  const runs = [{ extend: 1 }, { finish: true }].map(async (reply) => {
    const run = asking(limited(), call('help', task), ({ prompt }) => JSON.stringify(prompt.at(-1))).start('Go')
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'extension', limit: 'iterations' }] })
    await run.reply(run.state.asks[0]?.id ?? '', reply)
    expect(run.state.extensions).toEqual({})
    return run.settled
  })

  expect(await Promise.all(runs)).toMatchObject([
    { output: expect.stringContaining('Helped.') },
    { output: expect.stringContaining('The agent \\"helper\\" was stopped: The limit is reached: iterations.') },
  ])
})

it('lets the child agent refuse a reply', async () => {
  const typed = tool({
    inputSchema,
    execute: (_, { ask }) => ask(form({ prompt: 'Age?', schema: z.object({ age: z.number() }) })),
  })
  const below = agent({ name: 'helper', model: scriptedModel(call('typed'), 'Helped.'), tools: { typed } })
  const run = asking(below, call('help', task), 'Done.').start('Go')
  await run.settled
  const [ask] = run.state.asks

  await expect(run.reply(ask?.id ?? '', { age: 'old' })).rejects.toMatchObject({ code: 'reply_invalid' })
  expect(run.state.asks).toEqual([ask])
  await run.reply(ask?.id ?? '', { age: 7 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('withdraws a question that the child agent continues without', async () => {
  const hasty = tool({
    inputSchema,
    execute: (_, { ask }) => Promise.race([ask(text({ prompt: 'Well?' })), gate.then(() => 'nobody')]),
  })
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const below = agent({ name: 'helper', model: scriptedModel(call('hasty'), 'Helped.'), tools: { hasty } })
  const run = asking(below, call('help', task), 'Done.').start('Go', { observers: [laws()] })
  await run.settled

  open()
  const types: string[] = []
  run.subscribe(({ type }) => types.push(type))

  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(run.state).toMatchObject({ asks: [], signal: { type: 'answer', output: 'Done.' } })
  expect(types[0]).toBe('withdrawn')
})

it('is not endless', async () => {
  const options = { description: 'Helps.', maxDepth: 2 }
  const turns = (n: number) => [
    call('help', task),
    ({ prompt }: { prompt: unknown[] }) => `${n} ${JSON.stringify(prompt.at(-1))}`,
  ]
  let deepest: Agent = plain
  for (let n = 3; n >= 0; n--) {
    deepest = agent({ name: `a${n}`, model: scriptedModel(...turns(n)), tools: { help: agentTool(deepest, options) } })
  }

  expect(await deepest.start('Go').settled).toMatchObject({
    output: expect.stringMatching(/^0 .*1 .*2 .*is 2 runs deep already/),
  })
})

it('shows what the child agent is doing', async () => {
  const run = asking(agent({ name: 'helper', model: scriptedModel('Helped.') }), call('help', task), 'Done.').start(
    'Go',
    {
      id: 'r',
    },
  )
  const seen: unknown[] = []
  run.subscribe((event) => event.type === 'progressed' && seen.push(event.output))
  await run.settled

  expect(seen).toEqual([{ runId: 'r/1/tool/0', agent: 'helper', iteration: 1, text: 'Helped.', tools: [] }])
})

it('keeps two runs of one agent apart', async () => {
  const below = agent({ name: 'helper', model: scriptedModel(...Array.from({ length: 20 }, () => 'Helped.')) })
  const turn: ScriptedTurn = ({ prompt }) => (prompt.length === 1 ? twice : JSON.stringify(prompt[0]))
  const boss = asking(below, turn, turn, turn, turn)
  const journal = memoryJournal()
  const runs = ['x', 'y'].map((id) => boss.start(`I am ${id}.`, { id, journal }))
  const signals = await Promise.all(runs.map(({ settled }) => settled))

  expect(signals).toMatchObject(['x', 'y'].map((id) => ({ output: expect.stringContaining(`I am ${id}.`) })))
  expect(await journal.list()).toHaveLength(6)
})

it('keeps the thoughts of the child agent to itself where they are not exposed', async () => {
  const look = tool({ inputSchema, execute: () => 'ok' })
  const turns = [{ text: 'A secret.', calls: call('look').calls }, 'Helped.']
  const below = agent({ name: 'helper', model: scriptedModel(...turns), tools: { look } })
  const help = agentTool(below, { description: 'Helps.' })
  const model = scriptedModel(call('help', task), 'Done.')
  const run = agent({ name: 'boss', model, tools: { help }, exposeReasoning: false }).start('Go')

  const told = await collect(eventsOf(run))

  expect(JSON.stringify(told)).toContain('Helped.')
  expect(JSON.stringify(told)).not.toContain('A secret.')
})

it('needs a run to work for', async () => {
  const { execute } = agentTool(plain, { description: 'Helps.' })

  await expect(execute?.(task, {} as ToolContext)).rejects.toThrow('outside of a run')
})

it('refuses what is no agent', () => {
  expect(() => agentTool(undefined as never, { description: 'Helps.' })).toThrow(/takes an agent/)
})

it('lets runs nest four levels by default, and tells the agent at the last that it is too deep', async () => {
  const journal = memoryJournal()
  let top: Agent = plain
  for (let n = 5; n >= 0; n--) {
    const model = scriptedModel(call('help', task), 'Done.')
    top = agent({ name: `a${n}`, model, tools: { help: agentTool(top, { description: 'Helps.' }) } })
  }
  const run = top.start('Go', { id: 'r', journal })
  await run.settled

  const below = await journal.list({ below: 'r' })
  const logs = await Promise.all(below.map(({ runId }) => journal.read(runId)))
  const codes = logs.flatMap((log) => log.flatMap((event) => (event.type === 'observed' ? [event.error?.code] : [])))
  expect(below).toHaveLength(4)
  expect(codes.filter(Boolean)).toEqual(['too_deep'])
})
