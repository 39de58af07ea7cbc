import { agent, approval, choice, tool } from '@interleave/core'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { manualHost, scriptedModel } from '@interleave/testing'
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

it('tells how long a tool took, and apart from that how long its call waited for the user', async () => {
  const host = manualHost()
  const pause = (ms: number) => new Promise<void>((resolve) => host.timer(ms, resolve))
  const execute = async () => {
    await pause(30)
    return 'Done.'
  }
  const calls = ['look', 'pay', 'pick', 'leave'].map((name) => ({ name, input: {} }))
  const looker = agent({
    name: 'looker',
    model: scriptedModel({ calls }, 'It is a.'),
    tools: {
      look: tool({ inputSchema: z.object({}), execute }),
      pay: tool({ inputSchema: z.object({}), approve: approval(), execute }),
      pick: tool({
        inputSchema: z.object({}),
        execute: async (_, { ask }) =>
          Promise.all(['1', '2'].map((nth) => ask(choice({ prompt: nth, options: ['a', 'b'] })))),
      }),
      leave: tool({ inputSchema: z.object({}), approve: approval(), execute }),
    },
  })
  const log = createEventLog()
  const run = looker.start('Pick one', { host, observers: [log.observer] })
  await host.advance(30)
  await run.settled
  const reply = async (id: string, value: unknown) => {
    await host.advance(1_000)
    await run.reply(id, value as never)
    await host.advance(30)
    await run.settled
  }
  await reply('1/tool/1/approval', { approved: true })
  for (const { id, kind } of [...run.state.asks]) await reply(id, kind === 'approval' ? { approved: false } : 'a')

  const took = toMessages(log.events).flatMap((message) =>
    message.type === 'call' ? [[message.tool, message.ms, message.waitedMs]] : [],
  )

  expect(took).toEqual([
    ['look', 30, undefined],
    ['pay', 30, 1_030],
    ['pick', 0, 3_090],
    ['leave', undefined, 4_120],
  ])
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
  expect(toMessages(log.events).at(-1)).toMatchObject({
    type: 'settled',
    signal: { type: 'stopped', reason: 'Enough.' },
  })
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
