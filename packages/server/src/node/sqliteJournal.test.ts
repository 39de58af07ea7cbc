import { DatabaseSync } from 'node:sqlite'
import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { sqliteJournal } from './sqliteJournal.ts'

const guide = () => agent({ name: 'guide', model: scriptedModel('Hello.', 'Hello again.', 'Hello again.') })

it('says that the database is full, and writes the rest once there is room', async () => {
  const database = new DatabaseSync(':memory:')
  const journal = sqliteJournal(database)
  const run = guide().start('Hi', { journal })
  await run.settled
  const [pages] = database.prepare('PRAGMA page_count').all()
  database.exec(`PRAGMA max_page_count = ${pages?.page_count}`)

  await expect(run.say('x'.repeat(100_000))).rejects.toMatchObject({ code: 'journal_full' })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_full' } })

  database.exec('PRAGMA max_page_count = 100000')
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello again.' })
  expect(await journal.read(run.id)).toEqual(run.log)
})

it.each([
  [Number.POSITIVE_INFINITY, 2],
  [1.5, 1],
  [-1, 0],
])('lists at most %d runs', async (limit, count) => {
  const journal = sqliteJournal(new DatabaseSync(':memory:'))
  for (const id of ['a', 'b']) await guide().start('Hi', { id, journal }).settled

  expect(await journal.list({ limit })).toHaveLength(count)
})
