import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, answer, approval, confirm, prices, type Run, reasonAct, type Step, tool } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { needsOf } from '../step.ts'
import { inOrder } from '../steps/index.ts'
import { toolSource } from '../tools/index.ts'
import { END, graph, inOwnRun, position, router, untilAnswer, value } from './index.ts'

const lawful = () => ({ observers: [laws()] })
const none: Step = () => undefined
const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
const calling = (name: string, input: unknown = {}) => ({ calls: [{ name, input }] })
const received = (call: { prompt: unknown } | undefined) => JSON.stringify(call?.prompt)
const saidIn = (run: Run) => run.state.history.flat().flatMap((entry) => (entry.type === 'said' ? [entry.content] : []))

it('passes a backend until it answers, in one visit', async () => {
  const model = scriptedModel(calling('look'), calling('look'), 'Done.')
  const flow = graph({ name: 'flow', nodes: { work: untilAnswer(reasonAct()) }, start: 'work', edges: { work: END } })
  const run = agent({ name: 'a', model, tools: { look }, backend: flow }).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(position(run.state, flow)).toEqual({ node: END, visits: 1 })
  expect(saidIn(run)).toEqual(['Go'])
})

it('has agents for nodes, with their own models, instructions and tools, in one conversation', async () => {
  const write = scriptedModel(calling('look'), 'A draft.')
  const review = scriptedModel('Good.')
  const writer = agent({ name: 'writer', model: write, instructions: 'Write.', tools: { look } })
  const critic = agent({ name: 'critic', model: review, instructions: 'Review.' })
  const flow = graph({
    name: 'flow',
    nodes: { writer, critic },
    start: 'writer',
    edges: { writer: 'critic', critic: END },
  })
  const run = agent({ name: 'a', model: scriptedModel(), backend: flow }).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Good.' })
  expect(write.calls[0]).toMatchObject({ tools: [{ name: 'look' }], prompt: [{ content: 'Write.' }, { role: 'user' }] })
  expect(review.calls[0]?.tools).toBeUndefined()
  expect(review.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Review.' })
  expect(received(review.calls[0])).toMatch(/A draft\..*Go on with \\"critic\\"/)
})

it('tells the model what the visit is for, once', async () => {
  const draft = value('draft', '')
  const model = scriptedModel(calling('look'), 'One.', calling('look'), 'Two.')
  const flow = graph({
    name: 'flow',
    nodes: {
      first: untilAnswer(reasonAct(), { say: 'Begin.', keep: draft }),
      second: untilAnswer(reasonAct(), { say: (run) => `Improve "${draft.get(run)}".` }),
    },
    start: 'first',
    edges: { first: 'second', second: END },
  })
  const run = agent({ name: 'a', model, tools: { look }, backend: flow }).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Two.' })
  expect(saidIn(run)).toEqual(['Go', 'Begin.', 'Improve "One.".'])
})

it('keeps typed answers for the nodes behind', async () => {
  const verdict = value('verdict', { score: 0 })
  const model = scriptedModel(calling('final_answer', { score: 0.4 }), calling('final_answer', { score: 0.9 }))
  const critic = agent({ name: 'critic', model, output: answer(z.object({ score: z.number() })) })
  const flow = graph({
    name: 'flow',
    nodes: { review: untilAnswer(critic, { keep: verdict }), refine: none },
    start: 'review',
    edges: {
      review: router(['refine', END], (run) => (verdict.get(run).score < 0.8 ? 'refine' : END)),
      refine: 'review',
    },
  })
  const run = agent({ name: 'a', model: scriptedModel(), backend: flow }).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output: { score: 0.9 } })
  expect(verdict.get(run)).toEqual({ score: 0.9 })
  expect(position(run.state, flow)?.visits).toBe(3)
})

it('continues in the middle of an agent after a reload', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: async (_, context) => context.ask(confirm({ prompt: 'Sure?' })),
  })
  const writer = (...turns: ScriptedTurn[]) => agent({ name: 'writer', model: scriptedModel(...turns), tools: { ask } })
  const flowOf = (node: ReturnType<typeof writer>) =>
    graph({ name: 'flow', nodes: { prepare: none, node }, start: 'prepare', edges: { prepare: 'node', node: END } })
  const outer = (node: ReturnType<typeof writer>) => agent({ name: 'a', model: scriptedModel(), backend: flowOf(node) })
  const before = outer(writer(calling('ask'))).start('Go', lawful())
  expect(await before.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/0' }] })

  const after = await outer(writer('Done.')).resume(savedRun(JSON.parse(JSON.stringify(before.log))))
  await after.reply('1/tool/0/ask/0', true)

  expect(await after.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(saidIn(after)).toEqual(['Go'])
})

it('does not tell the model twice when a turn fails', async () => {
  const model = scriptedModel(new Error('Broken.'), 'Done.')
  const flow = graph({
    name: 'flow',
    nodes: { prepare: none, work: untilAnswer(reasonAct(), { say: 'Work.' }) },
    start: 'prepare',
    edges: { prepare: 'work', work: END },
  })
  const run = agent({ name: 'a', model, backend: flow }).start('Go', lawful())
  expect(await run.settled).toMatchObject({ type: 'failed' })

  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(saidIn(run)).toEqual(['Go', 'Work.'])
})

it('brings the tools of steps once, and leaves those of agents to them', () => {
  const output = z.object({ n: z.number() })
  const writer = agent({ name: 'writer', model: scriptedModel(), tools: { look } })
  const flow = graph({
    name: 'flow',
    nodes: { a: untilAnswer(reasonAct()), b: untilAnswer(reasonAct()), writer },
    start: 'a',
    edges: { a: 'b', b: 'writer', writer: END },
  })

  expect(
    Object.keys(agent({ name: 'a', model: scriptedModel(), output: answer(output), backend: flow }).tools),
  ).toEqual(['final_answer'])
  expect(flow.mayCall).toBe(true)
})

it('tells the model the instructions of the node that it is in', async () => {
  const model = scriptedModel('One.', 'Two.')
  const taught = (instructions: string) => untilAnswer(Object.assign(inOrder(reasonAct()), { instructions }))
  const flow = graph({
    name: 'flow',
    nodes: { a: taught('Be brief.'), b: taught('Be kind.') },
    start: 'a',
    edges: { a: 'b', b: END },
  })
  await agent({ name: 'a', model, instructions: 'Help.', backend: flow }).start('Go', lawful()).settled

  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(['Help.\n\nBe brief.', 'Help.\n\nBe kind.'])
})

it('has the whole agent in a node with instructions, also with tools of a source', async () => {
  const model = scriptedModel(calling('look'), 'Done.')
  const taught = Object.assign(inOrder(reasonAct()), { instructions: 'Be brief.' })
  const seen: unknown[] = []
  const flow = graph({
    name: 'flow',
    nodes: {
      work: untilAnswer(
        Object.assign(
          inOrder((run) => void seen.push(run.agent), taught),
          needsOf(taught),
        ),
      ),
    },
    start: 'work',
    edges: { work: END },
  })
  const tools = toolSource({ current: () => ({ look }) })
  const priced = prices({ scripted: { input: 1, output: 1 } })
  const run = agent({ name: 'a', model, instructions: 'Help.', prices: priced, tools, backend: flow }).start(
    'Go',
    lawful(),
  )

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(Array(2).fill('Help.\n\nBe brief.'))
  expect(seen).toEqual(
    Array(2).fill(expect.objectContaining({ name: 'a', models: [model], prices: priced, version: '1' })),
  )
})

it('forgets what was planned for a turn with the visit, and with the pass', async () => {
  const model = scriptedModel('One.', calling('look'), 'Two.')
  const planning: Step = (run) =>
    void (run.state.iteration < 2 && run.replan({ instructions: `${run.state.iteration}` })) as undefined
  const flow = graph({
    name: 'flow',
    nodes: {
      plan: (run) => run.replan({ instructions: 'Elsewhere.' }) as undefined,
      a: untilAnswer(reasonAct()),
      b: untilAnswer(reasonAct({ before: [planning] })),
    },
    start: 'plan',
    edges: { plan: 'a', a: 'b', b: END },
  })
  const first: Step = (run) => void (run.state.iteration === 0 && run.replan({ instructions: 'First.' })) as undefined
  const backend = inOrder(first, flow)
  await agent({ name: 'a', model, instructions: 'Help.', tools: { look }, backend }).start('Go', lawful()).settled

  expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toEqual(['First.', '1', 'Help.'])
})

it('says which node does nothing', async () => {
  const flow = graph({ name: 'flow', nodes: { idle: untilAnswer(none) }, start: 'idle', edges: { idle: END } })

  expect(await agent({ name: 'a', model: scriptedModel(), backend: flow }).start('Go').settled).toMatchObject({
    type: 'failed',
    error: { code: 'stalled', message: expect.stringMatching(/"idle"/) },
  })
})

it('is a step outside of graphs too', async () => {
  const backend = untilAnswer(reasonAct(), { say: 'Be brief.' })
  const run = agent({ name: 'a', model: scriptedModel(calling('look'), 'Done.'), tools: { look }, backend }).start(
    'Go',
    lawful(),
  )

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(saidIn(run)).toEqual(['Go', 'Be brief.'])
})

it('refuses what is no step', () => {
  expect(() => untilAnswer('text' as unknown as Step)).toThrow('takes a step')
})

it('counts what a user always allows for one agent of a graph only for that one', async () => {
  const ran: string[] = []
  const clerk = (name: string) => {
    const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => ran.push(name) })
    const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Paid.')
    return agent({ name, model, tools: { pay } })
  }
  const nodes = { billing: clerk('billing'), sales: clerk('sales') }
  const backend = graph({ name: 'g', nodes, start: 'billing', edges: { billing: 'sales', sales: END } })
  const run = agent({ name: 'desk', backend }).start('Pay')

  for (const name of ['billing', 'sales']) {
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ tool: 'pay', agent: name }] })
    await run.reply(run.state.asks[0]?.id ?? '', { approved: true, remember: 'tool' })
  }

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(ran).toEqual(['billing', 'sales'])
})

it('refuses two agents of one name in a graph if a permission for the one would count for the other', () => {
  const clerk = () => {
    const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Paid.' })
    return agent({ name: 'clerk', model: scriptedModel(), tools: { pay } })
  }
  const one = clerk()
  const described = (b: Step) => graph({ name: 'g', nodes: { a: one, b }, start: 'a', edges: { a: 'b', b: END } })

  for (const node of [untilAnswer, (other: Agent) => inOwnRun(other, { input: 'Pay.' })]) {
    expect(() => described(node(clerk()))).toThrow(/two agents are named "clerk".*\n.*different names/)
    expect(() => described(node(one))).not.toThrow()
  }
})

it('refuses a `say` that returns a promise', async () => {
  const writer = agent({ name: 'w', model: scriptedModel('Hi.') })
  const node = untilAnswer(writer, { say: (async () => 'Write.') as never })
  const flow = graph({ name: 'flow', nodes: { node }, start: 'node', edges: { node: END } })

  expect(await agent({ name: 'a', backend: flow }).start('Go').settled).toMatchObject({
    error: { message: expect.stringContaining('"content"') },
  })
})
