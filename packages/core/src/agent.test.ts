import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { scratchpad } from './history/scratchpad.ts'
import { agent, answer, choice, text, tool } from './index.ts'

const add = tool({
  description: 'Adds two numbers.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
})

it('thinks, acts, observes and answers', async () => {
  const model = scriptedModel({ text: 'I add.', calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, 'It is 5.')

  const run = agent({ name: 'calculator', model, tools: { add } }).start('2 + 3?')

  expect(await run.settled).toEqual({ type: 'answer', output: 'It is 5.', reason: 'text' })
  expect(scratchpad(run.state).map((entry) => entry.type)).toEqual(['thought', 'action', 'observation', 'thought'])
  expect(run.state.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 })
})

it('gives the model the observation', async () => {
  const model = scriptedModel({ calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, 'Five.')

  await agent({ name: 'calculator', model, tools: { add } }).start('2 + 3?').settled

  expect(model.calls[1]?.prompt.at(-1)).toEqual({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call-0-0', toolName: 'add', output: { type: 'json', value: 5 } }],
  })
})

it('settles on a question from inside a tool and continues with the reply', async () => {
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) => `Booked ${await ask(choice({ prompt: 'Which?', options: ['TP1', 'TP2'] }))}`,
  })
  const run = agent({
    name: 'planner',
    model: scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Done.'),
    tools: { book },
  }).start('Go')

  const signal = await run.settled
  if (signal.type !== 'inputNeeded') throw new Error(signal.type)
  await run.reply(signal.asks[0]?.id ?? '', 'TP2')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(scratchpad(run.state)).toContainEqual(expect.objectContaining({ type: 'observation', output: 'Booked TP2' }))
})

it('types the answer by the output schema', async () => {
  const model = scriptedModel(
    { calls: [{ name: 'final_answer', input: { n: 'x' } }] },
    { calls: [{ name: 'final_answer', input: { n: 5 } }] },
  )

  const run = agent({ name: 'counter', model, output: answer(z.object({ n: z.number() })) }).start('Count')

  const signal = await run.settled
  expect(signal).toEqual({ type: 'answer', output: { n: 5 }, reason: 'finalAnswer' })
  expect(run.state.iteration).toBe(2)
})

it('settles again while one of two questions of the same tool is open', async () => {
  const both = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) =>
      Promise.all([ask(text({ prompt: 'First?' })), ask(text({ prompt: 'Second?' }))]).then((all) => all.join()),
  })
  const run = agent({
    name: 'asker',
    model: scriptedModel({ calls: [{ name: 'both', input: {} }] }, 'Thanks.'),
    tools: { both },
  }).start('Go')

  await run.settled
  await run.reply('1/tool/0/ask/1', 'b')
  const second = await run.settled
  await run.reply('1/tool/0/ask/0', 'a')

  expect(second).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'First?' }] })
  expect(await run.settled).toMatchObject({ output: 'Thanks.' })
  expect(scratchpad(run.state)).toContainEqual(expect.objectContaining({ type: 'observation', output: 'a,b' }))
})

it('names the first message, so that it is not said twice', async () => {
  const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', { key: 'first' })
  await run.settled

  await run.say('Go', { key: 'first' })

  expect(run.state).toMatchObject({ signal: { type: 'answer' }, pending: [] })
})
