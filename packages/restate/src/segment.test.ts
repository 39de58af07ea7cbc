import { agent, type Effect, type Event, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { schemaBy } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { Segment, type SegmentOptions } from './segment.ts'

const model: Effect = { kind: 'model', key: '1/model', name: 'm', request: { prompt: [] } }
const looking: Effect = { kind: 'tool', key: '1/tool/0', name: 'look', input: {} }
const started: Event = { seq: 0, at: 0, iteration: 0, type: 'started', runId: 'a', agent: 'guide', version: '' }

function segmentOf({ turns = 1, isElsewhere = false } = {}) {
  const clock = { back: 0 }
  const steady = manualHost()
  const host = { ...steady, now: () => steady.now() - clock.back }
  const journal = memoryJournal() as SegmentOptions['journal']
  const limits = { turns, ms: 60_000, lingerMs: 0 }
  const segment = new Segment({ runId: 'a', journal, limits, host, isElsewhere: async () => isElsewhere })
  const said: string[] = []
  void segment.ended.then(() => said.push('ended'))
  const say = (what: string) => async () => void said.push(what)
  return { host, clock, journal, segment, said, say }
}

it('leaves the next turn to another segment, and ends when nothing is under way', async () => {
  const { segment, said, say, host } = segmentOf()
  await segment.host.perform(model, say('a turn'))
  let finish = (): void => {}
  const call = segment.host.perform(looking, () => new Promise<void>((resolve) => (finish = resolve)))

  void segment.host.perform(model, say('another turn'))
  await host.advance(0)
  expect(said).toEqual(['a turn'])
  finish()
  await call

  await expect.poll(() => said).toEqual(['a turn', 'ended'])
})

it('ends also while a child run holds the turn, when its parent has written what came meanwhile', async () => {
  const { segment, said } = segmentOf({ turns: 2 })
  let finish = (): void => {}
  const booked = new Promise<void>((resolve) => (finish = resolve))
  const inputSchema = schemaBy<object>({ type: 'object' }, (value) => Object(value), 'give an object')
  const book = tool({ inputSchema, execute: () => booked })
  const look = tool({ inputSchema, execute: () => 'Seen.' })
  const child = agent({
    name: 'scout',
    model: scriptedModel({ calls: [{ name: 'look', input: {} }] }),
    tools: { look },
  })
  const calls = [
    { name: 'scout', input: { task: 'Look' } },
    { name: 'book', input: {} },
  ]
  const tools = { scout: agentTool(child, { description: 'Looks.' }), book }
  const run = agent({ name: 'chief', model: scriptedModel({ calls }), tools }).start('Go', {
    id: 'a',
    journal: segment.journal,
    host: segment.host,
  })
  segment.attend(run)
  await expect.poll(() => run.log.some(({ type }) => type === 'noted')).toBe(true)
  expect(said).toEqual([])
  finish()

  await expect.poll(() => said).toEqual(['ended'])
})

it('writes what a run emits while a turn is held, also if a write fails once', async () => {
  const { segment, host, journal } = segmentOf({ turns: 0 })
  vi.spyOn(journal, 'append').mockRejectedValueOnce(new Error('Offline.'))
  const writer = segment.journal.engine.write({
    ...{ journal: segment.journal, runId: () => 'a', durableSeq: 0, host: segment.host, onSaving() {} },
  })
  void segment.host.perform(looking, () => new Promise(() => {}))
  void segment.host.perform(model, () => new Promise(() => {}))

  writer.add(started)

  await expect.poll(() => host.advance(20).then(() => journal.read('a'))).toEqual([started])
})

it('lets no tool leave whose run works elsewhere by now', async () => {
  const { segment, said, say, host } = segmentOf({ isElsewhere: true })
  await host.advance(1_000)

  void segment.host.perform(looking, say('a call'))

  await expect.poll(() => said).toEqual(['ended'])
})

it('lets no tool leave whose run works elsewhere by now, also if the clock was set back', async () => {
  const { segment, said, say, clock } = segmentOf({ isElsewhere: true })
  clock.back = 60_000

  void segment.host.perform(looking, say('a call'))

  await expect.poll(() => said).toEqual(['ended'])
})

it('looks whether it does only where no one said so for a while', async () => {
  const { segment, said, say, host } = segmentOf({ isElsewhere: true })
  await host.advance(900)
  await segment.journal.append('a', [started])
  await host.advance(900)

  await segment.host.perform(looking, say('a call'))

  expect(said).toEqual(['a call'])
})

it('says when the log of the run itself has begun', async () => {
  const { segment, said } = segmentOf()
  void segment.begun.then(() => said.push('kept'))
  await segment.journal.append('a/1/tool/0', [{ ...started, runId: 'a/1/tool/0' }])
  expect(said).toEqual([])

  await segment.journal.append('a', [started])

  await expect.poll(() => said).toEqual(['kept'])
})

it('writes and performs nothing once it is closed', async () => {
  const { segment, said, say, host, journal } = segmentOf()

  segment.close()
  void segment.journal.append('a', [started])
  void segment.host.perform(looking, say('a call'))
  await host.advance(5_000)

  expect([said, await journal.read('a')]).toEqual([[], []])
})
