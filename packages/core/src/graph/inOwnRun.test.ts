import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, confirm, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { END, graph, inOwnRun, parallel, router, value } from './index.ts'

const answered = (output: string) => ({ type: 'answer', output, reason: 'text' }) as const
const [pro, con] = [value('pro', ''), value('con', '')]
const join: Step = (run) => answered(`${pro.get(run)} ${con.get(run)}`)
const debate = (optimist: Agent<string>, critic: Agent<string>) =>
  graph({
    name: 'debate',
    nodes: {
      sides: parallel({
        pro: inOwnRun(optimist, { input: 'Praise it.', keep: pro }),
        con: inOwnRun(critic, { input: ({ state }) => `Doubt "${state.pending[0]?.content}".`, keep: con }),
      }),
      join,
    },
    start: 'sides',
    edges: { sides: 'join', join: END },
  })
const named = (name: string, ...turns: ScriptedTurn[]) => agent({ name, model: scriptedModel(...turns) })
const outer = (backend: Step) => agent({ name: 'a', model: scriptedModel(), backend })

it('lets agents think at the same time, each in a conversation of its own', async () => {
  let meet = (): void => {}
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  const critic = scriptedModel(async () => {
    meet()
    return 'Too slow.'
  })
  const optimist = named('optimist', () => met.then(() => 'Fine.'))
  const run = outer(debate(optimist, agent({ name: 'critic', model: critic }))).start('The plan', {
    observers: [laws()],
  })

  expect(await run.settled).toEqual(answered('Fine. Too slow.'))
  expect(critic.calls[0]?.prompt).toMatchObject([{ role: 'user', content: [{ text: 'Doubt "The plan".' }] }])
  expect([run.state.iteration, run.state.usage.inputTokens]).toEqual([0, 20])
})

it('asks what its agents ask, and continues after a reload', async () => {
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
  const critic = (...turns: ScriptedTurn[]) => agent({ name: 'critic', model: scriptedModel(...turns), tools: { ask } })
  const journal = memoryJournal()
  const before = outer(debate(named('optimist', 'Fine.'), critic({ calls: [{ name: 'ask', input: {} }] })))
  const lost = before.start('Go', { id: 'r', journal })
  expect(await lost.settled).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'Sure?' }] })

  const run = await outer(debate(named('optimist'), critic('Sure.'))).resume('r', { journal })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await run.reply(run.state.asks[0]?.id ?? '', true)

  expect(await run.settled).toEqual(answered('Fine. Sure.'))
})

it('is a new run with each visit', async () => {
  const count = value('count', 0)
  const model = scriptedModel('One.', 'Two.')
  const loop = graph({
    name: 'loop',
    nodes: {
      count: (run) => count.set(run, count.get(run) + 1),
      ask: inOwnRun(agent({ name: 'x', model }), { input: 'Hm?' }),
    },
    start: 'count',
    edges: { count: 'ask', ask: router(['count', END], (run) => (count.get(run) < 2 ? 'count' : END)) },
  })

  expect(await outer(loop).start('Go').settled).toEqual(answered('Two.'))
  expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([1, 1])
})

it('settles with a failure of its agent, and tries again', async () => {
  const flow = debate(named('optimist', 'Fine.'), named('critic', new Error('Broken.'), 'Bad.'))
  const run = outer(flow).start('Go')
  expect(await run.settled).toMatchObject({ type: 'failed' })

  run.resume()

  expect(await run.settled).toEqual(answered('Fine. Bad.'))
})

it.each([
  [() => inOwnRun(reasonAct() as never, { input: 'x' }), /takes an agent/],
  [() => inOwnRun(named('x'), { input: '' }), /needs an `input`/],
])('refuses what cannot work: %s', (make, message) => {
  expect(make).toThrowError(message)
})
