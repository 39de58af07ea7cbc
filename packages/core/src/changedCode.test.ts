import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool, route } from './agents/index.ts'
import { END, graph, inOwnRun, untilAnswer } from './graph/index.ts'
import { type Agent, agent, approval, confirm, reasonAct, type Step, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

const inputSchema = z.object({})
const pay = tool({ inputSchema, approve: approval(), execute: () => 'paid' })
const ask = tool({ inputSchema, execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
const calling = (name: string, input: object = {}) => ({ calls: [{ name, input }] })

/** A run that rests because it asked, as a later version of the code finds it. */
async function asked(described: Agent): Promise<Journal> {
  const journal = memoryJournal()
  const run = described.start('Go', { id: 'r', journal, observers: [laws()] })
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  return journal
}
const proceed = async (described: Agent, journal: Journal) => {
  const run = await described.resume('r', { journal })
  // It rests with its old questions until the work comes to where they were asked.
  await new Promise((resolve) => setTimeout(resolve, 20))
  return { run, signal: await run.settled }
}

it.each([
  ['an approval', pay],
  ['an answer', ask],
])('tells the model that a tool is gone that waited for %s', async (_, gone) => {
  const journal = await asked(agent({ name: 'a', model: scriptedModel(calling('gone')), tools: { gone } }))
  const model = scriptedModel('It is gone.')

  const { run, signal } = await proceed(agent({ name: 'a', model, tools: { pay } }), journal)

  expect(signal).toMatchObject({ output: 'It is gone.' })
  expect(run.state.asks).toEqual([])
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('There is no tool \\"gone\\". The tools are: pay.')
})

it('drops the questions of a child agent that is gone', async () => {
  const below = agent({ name: 'below', model: scriptedModel(calling('ask')), tools: { ask } })
  const help = agentTool(below, { description: 'Helps.' })
  const journal = await asked(
    agent({ name: 'a', model: scriptedModel(calling('help', { task: 'x' })), tools: { help } }),
  )

  const { run, signal } = await proceed(agent({ name: 'a', model: scriptedModel('Alone.') }), journal)

  expect(signal).toMatchObject({ output: 'Alone.' })
  expect(run.state.asks).toEqual([])
})

it('asks whether a child agent has run that is another one now', async () => {
  const boss = (name: string, ...turns: ScriptedTurn[]) => {
    const below = agent({ name, model: scriptedModel(calling('ask')), tools: { ask } })
    return agent({
      name: 'a',
      model: scriptedModel(...turns),
      tools: { help: agentTool(below, { description: 'Helps.' }) },
    })
  }
  const journal = await asked(boss('old', calling('help', { task: 'x' })))

  const { run, signal } = await proceed(boss('new', 'Alone.'), journal)
  await run.reply(run.state.asks.find(({ about }) => about === 'interruption')?.id ?? '', 'skip')

  expect(signal).toMatchObject({ type: 'inputNeeded' })
  expect(await run.settled).toMatchObject({ output: 'Alone.' })
  expect(run.state.asks).toEqual([])
})

const inNode = (nodes: Record<string, Step>, start: string) =>
  graph({ name: 'g', nodes, start, edges: Object.fromEntries(Object.keys(nodes).map((node) => [node, END])) })

it('fails with what to do when the node is gone where a run stands, and begins again with the next message', async () => {
  const asking = untilAnswer(reasonAct())
  const backend = inNode({ first: asking }, 'first')
  const journal = await asked(agent({ name: 'a', model: scriptedModel(calling('ask')), tools: { ask }, backend }))

  const changed = agent({ name: 'a', model: scriptedModel('Anew.'), backend: inNode({ other: asking }, 'other') })
  const { run, signal } = await proceed(changed, journal)
  expect(signal).toMatchObject({ error: { code: 'state_invalid', message: expect.stringContaining('say()') } })
  await run.say('Again')

  expect(await run.settled).toMatchObject({ output: 'Anew.' })
})

it('has its answer with a question open of a node that is gone, and keeps it when that is answered', async () => {
  const below = agent({ name: 'below', model: scriptedModel(calling('ask')), tools: { ask } })
  const backend = inNode({ first: inOwnRun(below, { input: () => 'x' }) }, 'first')
  const journal = await asked(agent({ name: 'a', backend, model: scriptedModel() }))

  const { run, signal } = await proceed(agent({ name: 'a', model: scriptedModel('Alone.') }), journal)

  expect(signal).toMatchObject({ output: 'Alone.' })
  for (const { id } of run.state.asks) await run.reply(id, true)
  expect(await run.settled).toMatchObject({ output: 'Alone.' })
  expect(run.state.asks).toEqual([])
})

it('chooses another agent when the one is gone that had the run, and runs none of its calls', async () => {
  let paid = 0
  const charge = tool({ inputSchema, execute: () => paid++ })
  const helper = (name: string, tools: object, ...turns: ScriptedTurn[]) =>
    agent({ name, model: scriptedModel(...turns), tools: { ...tools } })
  const desk = (agents: Record<string, Agent>, ...turns: ScriptedTurn[]) =>
    agent({ name: 'desk', model: scriptedModel(...turns), backend: route({ agents }) })
  const to = (name: string) => calling('route_to', { agent: name, reason: 'So.' })
  const gone = helper('gone', { charge: pay }, calling('charge'))
  const journal = await asked(desk({ gone }, to('gone')))

  const other = helper('other', { charge }, 'Nothing was charged.')
  const { run, signal } = await proceed(desk({ other }, to('other'), to('end')), journal)

  expect(signal).toMatchObject({ type: 'answer', output: 'Nothing was charged.' })
  expect(run.state.asks).toEqual([])
  expect(paid).toBe(0)
})
