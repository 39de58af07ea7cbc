import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, approval, type Run, reasonAct, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { limit } from './limit.ts'

const calls = (count: number, name = 'work') => ({ calls: Array.from({ length: count }, () => ({ name, input: {} })) })
const codesOf = (run: Run<unknown>): (string | undefined)[] =>
  run.state.history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls.map(({ error }) => error?.code) : []))

it.each([
  ['of a backend', { toolCalls: 5 }],
  ['that says so beforehand', limit({ toolCalls: 5 }, { remindAt: 0.9 })],
])('runs no more calls of one turn than a limit %s leaves, and settles with its question', async (_, limits) => {
  let worked = 0
  const work = tool({ inputSchema: z.object({}), execute: () => ++worked })
  const model = scriptedModel(calls(2), calls(60), calls(3), 'Done.')

  const run = agent({ name: 'a', model, tools: { work }, backend: reasonAct({ limits }) }).start('Go', {
    observers: [laws()],
  })
  const signal = await run.settled

  expect(signal).toMatchObject({ type: 'limitReached', limit: 'toolCalls', used: 5, allowed: 5 })
  expect(worked).toBe(5)
  expect(codesOf(run)).toEqual([...new Array(5), ...new Array(57).fill('too_many')])
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 2 })
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 7, allowed: 7 })
  expect(worked).toBe(7)
  // The model reads why.
  expect(JSON.stringify(model.calls[2]?.prompt)).toContain('This call was not run: 3 more calls were allowed.')
})

it('asks no one to allow a call that is over the limit', async () => {
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'paid' })
  const model = scriptedModel(calls(4, 'pay'), 'Done.')

  const run = agent({ name: 'a', model, tools: { pay }, backend: reasonAct({ limits: { toolCalls: 1 } }) }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval' }] })
  expect(codesOf(run)).toEqual([undefined, 'too_many', 'too_many', 'too_many'])
})

it('counts no calls that no one runs', async () => {
  const work = tool({ inputSchema: z.object({ n: z.number().optional() }), execute: () => 'worked' })
  const input = { name: 'work', input: '{' }
  const model = scriptedModel({ calls: [input, { name: 'none', input: {} }, input, ...calls(1).calls] }, 'Done.')

  const run = agent({ name: 'a', model, tools: { work }, backend: reasonAct({ limits: { toolCalls: 1 } }) }).start('Go')
  await run.settled

  expect(codesOf(run)).toEqual(['tool_input_invalid', 'tool_unknown', 'tool_input_invalid', undefined])
})

it('holds a turn to the limit that was written where there was none', async () => {
  const journal = memoryJournal()
  let worked = 0
  const work = tool({ inputSchema: z.object({}), execute: () => ++worked })
  const describe = (before?: () => never) =>
    agent({
      name: 'a',
      model: scriptedModel(calls(50), 'Done.'),
      tools: { work },
      backend: before
        ? reasonAct({ limits: { iterations: 5 }, between: [before] })
        : reasonAct({ limits: { toolCalls: 3 } }),
    })
  const broken = describe(() => {
    throw new Error('The page goes away before any call.')
  }).start('Go', { id: 'r', journal })
  await broken.settled

  const run = await describe().resume('r', { journal })
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 3 })
  expect(worked).toBe(3)
})
