import { collect } from '@interleave/test-kit/collect'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, confirm, tool } from '../index.ts'
import { exportRun, fork } from '../journal/index.ts'
import { eventsOf } from '../log/runEvents.ts'
import { pastRun, replay } from './index.ts'

const ask = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })),
})

async function answered() {
  const model = scriptedModel({ text: 'I ask.', calls: [{ name: 'ask', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { ask } }).start('Go')
  await run.settled
  await run.reply('1/tool/0/ask/0', true)
  await run.settled
  return { run, file: await exportRun(run) }
}

it('is what the run was at each position of its log', async () => {
  const { file } = await answered()
  const { stateAt } = replay(file)

  const states = file.events.map(({ seq }) => pastRun(file.events, { at: seq }).state)

  expect(states).toEqual(file.events.map(({ seq }) => stateAt(seq)))
  expect(pastRun(file).state).toEqual(stateAt())
})

it('shares what did not change with other positions of the log, in whatever order they are asked for', async () => {
  const { file } = await answered()
  const turn = file.events.findIndex(({ type }) => type === 'settled')

  const late = pastRun(file.events).state
  const early = pastRun(file.events, { at: turn }).state
  const between = pastRun(file.events, { at: turn + 1 }).state

  expect(early.history.flat()[0]).toBe(late.history.flat()[0])
  expect(between.history.flat()[0]).toBe(early.history.flat()[0])
})

it('does not take one log for another that begins with the same event', async () => {
  const { file } = await answered()
  const [first, said, ...others] = file.events
  if (first?.type !== 'started' || said?.type !== 'said') throw new Error('It begins otherwise.')
  const other = [first, { ...said, content: 'Stay' }, ...others]

  const states = [file.events, other, file.events].map((events) => pastRun(events).state)

  expect(states.map(({ history }) => history.flat()[0])).toMatchObject([
    { content: 'Go' },
    { content: 'Stay' },
    { content: 'Go' },
  ])
})

it('follows a list that grows and is rewound, and keeps what it has shown', async () => {
  const { file } = await answered()
  const [first, second, third, ...others] = file.events
  if (!first || !second || third?.type !== 'thought') throw new Error('It begins otherwise.')
  const feed = [first, second, third, ...others]
  const shown = pastRun(feed)
  const early = pastRun(feed, { at: 2 })

  feed.splice(2, feed.length, { ...third, ms: 77 })
  const rewound = pastRun(feed, { at: 2 })
  feed.push(...others)

  expect(rewound.state.history.flat().at(-1)).toMatchObject({ ms: 77 })
  expect(rewound.log).toEqual(feed.slice(0, 3))
  expect(shown.log).toEqual(file.events)
  expect(early.log).toEqual(file.events.slice(0, 3))
  expect(pastRun(feed).state).toEqual(replay({ ...file, events: [...feed] }).stateAt())
})

it('tells the events up to its position, and ends there', async () => {
  const { file } = await answered()
  const run = pastRun(file, { at: 3 })

  expect(await collect(eventsOf(run, { follow: true }))).toEqual(file.events.slice(0, 4))
  expect(await collect(eventsOf(run, { from: 2 }))).toEqual(file.events.slice(2, 4))
})

it('keeps the thoughts back that the agent does not expose', async () => {
  const model = scriptedModel({ reasoning: 'Secret.', text: 'Hi.' })
  const run = agent({ name: 'a', model, exposeReasoning: false }).start('Go')
  await run.settled

  const told = await collect(eventsOf(pastRun(await exportRun(run))))

  expect(told).toEqual(await collect(eventsOf(run)))
  expect(JSON.stringify(told)).not.toContain('Secret')
})

it('is changed by nothing, and says what to do instead', async () => {
  const { file } = await answered()
  const run = pastRun(file, { at: file.events.findIndex(({ type }) => type === 'settled') })
  const before = run.state
  const refusal = { code: 'options_invalid', message: expect.stringContaining('fork(') }

  await expect(run.say('More')).rejects.toMatchObject(refusal)
  await expect(run.reply('1/tool/0/ask/0', true)).rejects.toMatchObject(refusal)
  await expect(run.stop()).rejects.toMatchObject(refusal)
  expect(() => run.resume()).toThrow('fork(')
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(run.state).toBe(before)
})

it('can be continued with in a new run', async () => {
  const { file } = await answered()
  const other = agent({ name: 'a', model: scriptedModel('Other.') })

  const forked = await fork(other, pastRun(file, { at: 1 }), { edit: { content: 'Stay' } })
  const rest = await forked.settled

  expect(rest).toMatchObject({ type: 'answer', output: 'Other.' })
  expect(forked.state.history.flat()[0]).toMatchObject({ content: 'Stay' })
})

it('tells where there is no such place, and what is wrong with a file', async () => {
  const { file } = await answered()

  expect(() => pastRun(file, { at: 99 })).toThrow('at: 99')
  expect(() => pastRun({ ...file, events: file.events.slice(1) })).toThrow('does not begin with the start')
})
