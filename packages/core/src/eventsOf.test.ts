import { collect } from '@interleave/test-kit/collect'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { type AnyEvent, isKept } from './history/index.ts'
import { agent } from './index.ts'
import { eventsOf } from './log/runEvents.ts'

const start = (...turns: string[]) => agent({ name: 'a', model: scriptedModel(...turns) }).start('Go')
const seqs = (events: readonly AnyEvent[]) => events.filter(isKept).map(({ seq }) => seq)

it('gives all events to any number of consumers, and ends at the rest', async () => {
  const run = start('Hello you.')

  const [first, second] = await Promise.all([collect(eventsOf(run)), collect(eventsOf(run))])

  expect(first.map(({ type }) => type)).toEqual(['started', 'said', 'delta', 'delta', 'thought', 'settled'])
  expect(second).toEqual(first)
})

it.each([0, 1, 3, 99])('begins with event %i', async (from) => {
  const run = start('Hello.')
  await run.settled

  expect(seqs(await collect(eventsOf(run, { from })))).toEqual([0, 1, 2, 3].slice(from))
})

it('begins with an event that is still to come', async () => {
  const run = start('Hello.')

  expect(seqs(await collect(eventsOf(run, { from: 3 })))).toEqual([3])
})

it('follows a run over its settles until it is left', async () => {
  const run = start('One.', 'Two.')
  const answers: unknown[] = []

  for await (const event of eventsOf(run, { follow: true })) {
    if (event.type !== 'settled') continue
    answers.push(event.signal)
    if (answers.length === 2) break
    await run.say('More.')
  }

  expect(answers).toMatchObject([{ output: 'One.' }, { output: 'Two.' }])
})

it('waits for a consumer that takes its time', async () => {
  const run = start('Hello.')
  const events = eventsOf(run)[Symbol.asyncIterator]()
  await run.settled

  const first = await events.next()

  expect(first.value).toMatchObject({ seq: 0, type: 'started' })
})

it('answers every next, also several at a time', async () => {
  const run = start('Hello.')
  const events = eventsOf(run, { from: 2, follow: true })[Symbol.asyncIterator]()

  const both = await Promise.all(Array.from({ length: 3 }, () => events.next()))

  expect(both.map(({ value }) => value.type)).toEqual(['delta', 'thought', 'settled'])
})

it('ends for a consumer that is left while it waits', async () => {
  const run = start('Hello.')
  await run.settled
  const events = eventsOf(run, { from: 99, follow: true })[Symbol.asyncIterator]()

  const next = events.next()
  await events.return?.()

  expect(await next).toEqual({ done: true, value: undefined })
})

it('tells each event once to a consumer that comes while others act on one', async () => {
  const run = start('One.', 'Two.')
  let late: Promise<AnyEvent[]> | undefined
  run.subscribe((event) => {
    if (event.type !== 'settled' || late) return
    void run.say('More.')
    late = collect(eventsOf(run))
  })
  await run.settled
  await run.settled

  expect(seqs((await late) ?? [])).toEqual(Array.from({ length: run.state.seq }, (_, n) => n))
})

it('tells who is behind of one text where there were chunks, and of every event that is kept', async () => {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  const events = eventsOf(run)[Symbol.asyncIterator]()
  await model.called(1)
  model.say(...'x'.repeat(500))
  model.end()
  await run.settled

  const told = await collect({ [Symbol.asyncIterator]: () => events })

  expect(told.map(({ type }) => type)).toEqual(['started', 'said', 'delta', 'thought', 'settled'])
})

it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '0' as never])('refuses to begin at %s', async (from) => {
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Hi')

  expect(() => eventsOf(run, { from })).toThrow('`seq`')
})
