import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../agent.ts'
import { askUser } from './askUser.ts'

const asking = (input: unknown) =>
  agent({
    name: 'asker',
    model: scriptedModel({ calls: [{ name: 'askUser', input }] }, 'Thanks.'),
    tools: { askUser: askUser() },
  }).start('Hi')

it('lets the model ask a choice and gives it the answer', async () => {
  const run = asking({ question: 'Which city?', kind: 'choice', options: ['Porto', 'Lisbon'] })

  const signal = await run.settled
  expect(signal).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'choice', prompt: 'Which city?' }] })
  await run.reply(run.state.asks[0]?.id ?? '', 'Porto')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Thanks.' })
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result: { type: 'text', value: 'Porto' } }] })
})

it('shows options with a line, a price and a badge, and gives the model the value that was chosen', async () => {
  const options = [
    { label: '07:20 → 10:40', value: 'RAIL-1', description: 'direct', detail: '€54', badge: 'Cheapest' },
    { label: 'None' },
    'Later',
  ]
  const run = asking({ question: 'Which train?', kind: 'choice', options })
  await run.settled
  const [ask] = run.state.asks

  await run.reply(ask?.id ?? '', 'RAIL-1')
  await run.settled

  expect(ask).toMatchObject({
    options: [options[0], { value: 'None', label: 'None' }, { value: 'Later', label: 'Later' }],
  })
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result: { value: 'RAIL-1' } }] })
})

it.each([
  [{ question: 'Sure?', kind: 'confirm' }, true, { type: 'json', value: true }],
  [{ question: 'Name?', kind: 'text' }, 'Ada', { type: 'text', value: 'Ada' }],
  [{ question: 'Which?', kind: 'choices', options: ['a', 'b'] }, ['b'], { type: 'json', value: ['b'] }],
])('asks %j', async (input, reply, result) => {
  const run = asking(input)
  await run.settled

  await run.reply(run.state.asks[0]?.id ?? '', reply)
  await run.settled

  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result }] })
})

it.each([
  { question: 'Which?', kind: 'choice' },
  { question: 'Which?', kind: 'choice', options: ['a', 'a'] },
  { question: 'Which?', kind: 'choice', options: ['a', { label: 'b', value: 'a' }] },
  { question: 'Which?', kind: 'choice', options: ['a', { label: 'b', value: '' }] },
  { question: 'Which?', kind: 'choice', options: ['a', { label: 'b', detail: 5 }] },
  { question: 'Which?', kind: 'choice', options: ['a', { value: 'b' }] },
  { question: 'Which?', kind: 'menu' },
  { kind: 'text' },
])('tells the model what is wrong with %j', async (input) => {
  const run = asking(input)

  await run.settled

  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ error: { code: 'tool_input_invalid' } }] })
})
