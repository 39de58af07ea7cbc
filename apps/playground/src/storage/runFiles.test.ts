import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { memoryStorage } from './memoryStorage.ts'
import { fromFile, toFile } from './runFiles.ts'
import { putBack, takeOut } from './takeOut.ts'

async function durableRun() {
  const storage = memoryStorage()
  await storage.records.put({ runId: 'a', offer: 'trip', file: 'interleave: 1', connection: { type: 'demo' } })
  const run = agent({ name: 'guide', model: scriptedModel('Hello.') }).start('Hi', {
    id: 'a',
    journal: storage.journal,
  })
  await run.settled
  return storage
}

it('takes a run to another browser, with its agent and without its model', async () => {
  const storage = await durableRun()
  const there = memoryStorage()

  const imported = await fromFile(there, await toFile(storage, 'a'))

  expect(imported).toEqual({ runId: 'a', agent: { offer: 'trip', file: 'interleave: 1' } })
  expect(await there.journal.read('a')).toEqual([
    ...(await storage.journal.read('a')),
    expect.objectContaining({ type: 'imported' }),
  ])
})

it('exports what could not be written', async () => {
  const { journal, ...storage } = await durableRun()
  const run = await agent({ name: 'guide', model: scriptedModel() }).resume('a', { journal })
  const none = memoryStorage().journal
  const broken = { ...none, read: () => Promise.reject(new Error('The disk is gone.')) }

  const files = await Promise.all([none, broken].map((now) => toFile({ ...storage, journal: now }, run)))

  for (const file of files) expect(JSON.parse(file).events).toEqual(await journal.read('a'))
})

it('takes a log alone, and exports a damaged one as it is', async () => {
  const storage = await durableRun()
  const [started, said] = await storage.journal.read('a')
  const there = memoryStorage()

  await fromFile(there, JSON.stringify([started, said]))
  await there.journal.append('b', JSON.parse('[{ "seq": 0, "type": "gone" }]'))

  expect(await there.journal.read('a')).toMatchObject([started, said, { type: 'imported' }, { type: 'settled' }])
  expect(JSON.parse(await toFile(there, 'b')).asStored).toEqual({ b: [{ seq: 0, type: 'gone' }] })
})

it.each([
  ['', /no JSON/],
  ['{}', /not the file of a run/],
  ['[]', /no events/],
])('refuses the file %j, and writes nothing', async (text, message) => {
  const storage = memoryStorage()

  await expect(fromFile(storage, text)).rejects.toThrow(message)
  expect(await storage.journal.list()).toEqual([])
})

it('brings back what was deleted', async () => {
  const storage = await durableRun()
  const [log, record, list] = [
    await storage.journal.read('a'),
    await storage.records.get('a'),
    await storage.journal.list(),
  ]

  const taken = await takeOut(storage, 'a')
  expect([await storage.journal.read('a'), await storage.records.get('a')]).toEqual([[], undefined])
  await putBack(storage, taken)

  expect(taken.title).toBe('Hi')
  expect([await storage.journal.read('a'), await storage.records.get('a')]).toEqual([log, record])
  expect(await storage.journal.list()).toEqual(list)
})

it('deletes what cannot even be read', async () => {
  const storage = await durableRun()
  const read = () => Promise.reject(new Error('A value is gone.'))

  const taken = await takeOut({ ...storage, journal: { ...storage.journal, read } }, 'a')

  expect(taken.logs).toEqual([])
  expect(await storage.journal.list()).toEqual([])
})

it.each([
  ['is too long', 'x'.repeat(500_001), /has more than 500,000 characters/],
  ['is no text', 7, /is not one that this page wrote/],
])('opens no run whose agent %s, and changes nothing', async (_, file, message) => {
  const storage = await durableRun()
  const there = memoryStorage()
  const text = JSON.stringify({ ...JSON.parse(await toFile(storage, 'a')), startedWith: { offer: 'trip', file } })

  await expect(fromFile(there, text)).rejects.toThrow(message)

  expect(await there.journal.list()).toEqual([])
})
