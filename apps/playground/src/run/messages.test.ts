import { agent, choice, tool } from '@interleave/core'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createEventLog } from './eventLog.ts'
import { toMessages } from './messages.ts'

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})

/** A run that asks which, with its log. */
function asking() {
  const model = scriptedModel({ text: 'Let me ask.', calls: [{ name: 'pick', input: {} }] }, 'It is a.')
  const log = createEventLog()
  const run = agent({ name: 'picker', model, tools: { pick } }).start('Pick one', { observers: [log.observer] })
  return { run, log }
}

it('tells a run as a conversation', async () => {
  const { run, log } = asking()

  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled

  expect(toMessages(log.events)).toMatchObject([
    { type: 'user', text: 'Pick one' },
    { type: 'text', text: 'Let me ask.', isAnswer: false },
    { type: 'call', tool: 'pick', state: 'done' },
    { type: 'question', isOpen: false, reply: 'a' },
    { type: 'text', text: 'It is a.', isAnswer: true },
  ])
})

it('tells how long a call took, and of none that waited for the user', async () => {
  const look = tool({ inputSchema: z.object({}), execute: () => 'Seen.' })
  const calls = [
    { name: 'look', input: {} },
    { name: 'pick', input: {} },
  ]
  const log = createEventLog()
  const looker = agent({ name: 'looker', model: scriptedModel({ calls }, 'It is a.'), tools: { look, pick } })
  const run = looker.start('Pick one', { observers: [log.observer] })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled

  const took = toMessages(log.events).flatMap((message) => (message.type === 'call' ? [message.ms] : []))

  expect(took).toEqual([expect.any(Number), undefined])
})

it('shows which call waits for the user', async () => {
  const { run, log } = asking()

  await run.settled

  expect(toMessages(log.events).slice(-2)).toMatchObject([
    { type: 'call', state: 'waits for you' },
    { type: 'question', isOpen: true },
  ])
})

it('closes questions and calls when the run is stopped', async () => {
  const { run, log } = asking()

  await run.settled
  await run.stop('Enough.')

  expect(toMessages(log.events).at(-2)).toMatchObject({ type: 'question', isOpen: false })
  expect(toMessages(log.events).at(-1)).toMatchObject({ type: 'rest', signal: { type: 'stopped', reason: 'Enough.' } })
})

it('tells an answer that no model wrote', async () => {
  const log = createEventLog()
  const backend = () => ({ type: 'answer', output: 'Booked.', reason: 'completed' }) as const
  const run = agent({ name: 'booker', model: scriptedModel(), backend }).start('Book it', { observers: [log.observer] })

  await run.settled

  expect(toMessages(log.events)).toMatchObject([{ type: 'user' }, { type: 'text', text: 'Booked.', isAnswer: true }])
})

it('says where another model continues, once and before its first message', async () => {
  const journal = memoryJournal()
  const small = { ...scriptedModel('One.'), modelId: 'small' }
  const first = agent({ name: 'guide', model: small }).start('Hi', { journal })
  await first.settled
  const large = { ...scriptedModel('Two.', 'Three.'), modelId: 'large' }
  const run = await agent({ name: 'guide', model: large }).resume(first.id, { journal })
  await run.say('More')
  await run.settled
  await run.say('And more')
  await run.settled

  const { events } = await exportRun(run)
  expect(toMessages(events).map((message) => ('text' in message ? message.text : message))).toEqual([
    'Hi',
    'One.',
    'More',
    { type: 'model', key: 'model/2', provider: 'scripted', modelId: 'large' },
    'Two.',
    'And more',
    'Three.',
  ])
})
