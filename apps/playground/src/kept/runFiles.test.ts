import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { keptInMemory } from './keptInMemory.ts'
import { fromFile, toFile } from './runFiles.ts'
import { putBack, takeOut } from './takeOut.ts'

async function keptRun() {
  const kept = keptInMemory()
  await kept.records.put({ runId: 'a', offer: 'trip', file: 'interleave: 1', connection: { type: 'demo' } })
  const run = agent({ name: 'guide', model: scriptedModel('Hello.') }).start('Hi', { id: 'a', journal: kept.journal })
  await run.settled
  return kept
}

it('takes a run to another browser, with its agent and without its model', async () => {
  const kept = await keptRun()
  const there = keptInMemory()

  const imported = await fromFile(there, await toFile(kept, 'a'))

  expect(imported).toEqual({ runId: 'a', agent: { offer: 'trip', file: 'interleave: 1' } })
  expect(await there.journal.read('a')).toEqual([
    ...(await kept.journal.read('a')),
    expect.objectContaining({ type: 'imported' }),
  ])
})

it('exports what could not be written', async () => {
  const { journal, ...kept } = await keptRun()
  const run = await agent({ name: 'guide', model: scriptedModel() }).resume('a', { journal })
  const none = keptInMemory().journal
  const broken = { ...none, read: () => Promise.reject(new Error('The disk is gone.')) }

  const files = await Promise.all([none, broken].map((now) => toFile({ ...kept, journal: now }, run)))

  for (const file of files) expect(JSON.parse(file).events).toEqual(await journal.read('a'))
})

it('takes a log alone, and exports a damaged one as it is', async () => {
  const kept = await keptRun()
  const [started, said] = await kept.journal.read('a')
  const there = keptInMemory()

  await fromFile(there, JSON.stringify([started, said]))
  await there.journal.append('b', JSON.parse('[{ "seq": 0, "type": "gone" }]'))

  expect(await there.journal.read('a')).toMatchObject([started, said, { type: 'imported' }, { type: 'rested' }])
  expect(JSON.parse(await toFile(there, 'b')).asStored).toEqual({ b: [{ seq: 0, type: 'gone' }] })
})

it.each([
  ['', /no JSON/],
  ['{}', /not the file of a run/],
  ['[]', /no events/],
])('refuses the file %j, and writes nothing', async (text, message) => {
  const kept = keptInMemory()

  await expect(fromFile(kept, text)).rejects.toThrow(message)
  expect(await kept.journal.list()).toEqual([])
})

it('brings back what was deleted', async () => {
  const kept = await keptRun()
  const [log, record, list] = [await kept.journal.read('a'), await kept.records.get('a'), await kept.journal.list()]

  const taken = await takeOut(kept, 'a')
  expect([await kept.journal.read('a'), await kept.records.get('a')]).toEqual([[], undefined])
  await putBack(kept, taken)

  expect(taken.title).toBe('Hi')
  expect([await kept.journal.read('a'), await kept.records.get('a')]).toEqual([log, record])
  expect(await kept.journal.list()).toEqual(list)
})

it('deletes what cannot even be read', async () => {
  const kept = await keptRun()
  const read = () => Promise.reject(new Error('A value is gone.'))

  const taken = await takeOut({ ...kept, journal: { ...kept.journal, read } }, 'a')

  expect(taken.logs).toEqual([])
  expect(await kept.journal.list()).toEqual([])
})

it.each([
  ['is too long', 'x'.repeat(500_001), /has more than 500,000 characters/],
  ['is no text', 7, /is not one that this page wrote/],
])('opens no run whose agent %s, and changes nothing', async (_, file, message) => {
  const kept = await keptRun()
  const there = keptInMemory()
  const text = JSON.stringify({ ...JSON.parse(await toFile(kept, 'a')), startedWith: { offer: 'trip', file } })

  await expect(fromFile(there, text)).rejects.toThrow(message)

  expect(await there.journal.list()).toEqual([])
})
