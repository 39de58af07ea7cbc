import { journalSuite, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { deleteDB, openDB } from 'idb'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, type Event, reasonAct, text, tool } from '../../index.ts'
import { askToPersist, indexedDbJournal, persistence } from './index.ts'

let names = 0
const newName = (): string => `test-${Date.now()}-${names++}`

for (const { name, run } of journalSuite(() => indexedDbJournal({ name: newName() }))) it(name, run)

const inputSchema = z.object({})
const calls = (...called: string[]): ScriptedTurn => ({ calls: called.map((name) => ({ name, input: {} })) })
const tools = {
  look: tool({ inputSchema, effect: 'readOnly', execute: () => 'seen' }),
  ask: tool({ inputSchema, execute: (_, { ask }) => ask(text({ prompt: '?' })) }),
}
const started = (runId: string): Event => ({
  seq: 0,
  at: 1,
  iteration: 0,
  type: 'started',
  runId,
  agent: 'a',
  version: '1',
})
const noted = (seq: number, value: unknown): Event =>
  ({ seq, at: 1, iteration: 0, type: 'noted', key: `n${seq}`, value }) as Event

async function countOf(store: 'events' | 'values', name: string): Promise<number> {
  const database = await openDB(name)
  const count = await database.count(store)
  database.close()
  return count
}

it('continues after a reload with a question that was open', async () => {
  const name = newName()
  const before = agent({ name: 'a', model: scriptedModel(calls('ask')), tools })
  const run = before.start('Go', { journal: indexedDbJournal({ name }), id: 'r' })
  await run.settled

  const after = agent({ name: 'a', model: scriptedModel('Done.'), tools })
  const same = await after.resume('r', { journal: indexedDbJournal({ name }) })
  await same.reply('1/tool/0/ask/0', 'x')

  expect(await same.settled).toMatchObject({ output: 'Done.' })
  expect(await indexedDbJournal({ name }).read('r')).toHaveLength(same.state.seq)
})

it('takes a run over in the middle of a tool, and nothing more from the tab that had it', async () => {
  const name = newName()
  let finish = (): void => {}
  const held = new Promise<string>((resolve) => {
    finish = () => resolve('late')
  })
  const slow = tool({ inputSchema, effect: 'idempotent', execute: () => held })
  const quick = tool({ inputSchema, effect: 'idempotent', execute: () => 'in time' })
  const before = agent({ name: 'a', model: scriptedModel(calls('work'), 'Late.'), tools: { work: slow } })
  const first = before.start('Go', { journal: indexedDbJournal({ name }), id: 'r' })
  const journal = indexedDbJournal({ name })
  while ((await journal.read('r')).at(-1)?.type !== 'claimed') await new Promise((resolve) => setTimeout(resolve, 5))

  const after = agent({ name: 'a', model: scriptedModel('Done.'), tools: { work: quick } })
  const second = await after.resume('r', { journal })
  const signal = await second.settled
  finish()

  expect(signal).toMatchObject({ output: 'Done.' })
  expect(await first.settled).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })
  expect(await journal.read('r')).toHaveLength(second.state.seq)
  expect(JSON.stringify(await journal.read('r'))).not.toMatch(/late/i)
})

it('lets one of two tabs continue', async () => {
  const name = newName()
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') })
  await described.start('1', { journal: indexedDbJournal({ name }), id: 'r' }).settled
  const tabs = await Promise.all([0, 1].map(() => described.resume('r', { journal: indexedDbJournal({ name }) })))

  const says = await Promise.allSettled(tabs.map((tab) => tab.say('mine')))

  expect(says.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const kept = await indexedDbJournal({ name }).read('r')
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, index) => index))
})

it('keeps a run of a thousand events', async () => {
  const journal = indexedDbJournal({ name: newName() })
  const backend = reasonAct({ limits: { iterations: 500, toolCalls: 500 } })
  const turns = Array.from({ length: 340 }, (_, n) => ({ calls: [{ name: 'look', input: { n } }] }))
  const described = agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools, backend })

  const run = described.start('Go', { journal, id: 'r' })
  const signal = await run.settled

  expect(run.state.seq).toBeGreaterThan(1_000)
  expect(signal.type).toBe('answer')
  expect(await journal.read('r')).toHaveLength(run.state.seq)
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})

it('stores a large value once, gives it back whole, and deletes it with the last run that has it', async () => {
  const name = newName()
  const journal = indexedDbJournal({ name })
  const document = 'x'.repeat(100_000)
  const table = Array.from({ length: 5_000 }, (_, row) => ({ row, cell: `cell ${row}` }))
  const log = [started('a'), noted(1, { document, table }), noted(2, [document, 'y', { document, is: 'same' }])]
  await journal.append('a', log)
  await journal.append('b', [started('b'), noted(1, document)])

  expect(await journal.read('a')).toEqual(log)
  expect(await countOf('values', name)).toBe(2)
  await journal.delete('a')
  expect(await countOf('values', name)).toBe(1)
  expect(await journal.read('b')).toMatchObject([{}, { value: document }])
  await journal.delete('b')
  expect(await countOf('values', name)).toBe(0)
})

it('finds the large values of a long log again, and deletes them with it', async () => {
  const name = newName()
  const journal = indexedDbJournal({ name })
  const document = 'x'.repeat(100_000)
  const log = [started('a'), ...Array.from({ length: 200 }, (_, n) => noted(n + 1, n % 40 ? n : [n, document]))]
  for (let from = 0; from < log.length; from += 3) await journal.append('a', log.slice(from, from + 3))

  expect(await journal.read('a')).toEqual(log)
  expect(await journal.read('a', 100)).toEqual(log.slice(100))
  // As few as make a run quick to read.
  expect(await countOf('events', name)).toBeLessThan(log.length / 6)
  expect(await countOf('values', name)).toBe(1)
  await journal.delete('a')
  expect(await countOf('values', name)).toBe(0)
})

it('says so when another tab deletes the database, and takes new runs', async () => {
  const name = newName()
  const journal = indexedDbJournal({ name })
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.', 'Three.') })
  const run = described.start('1', { journal, id: 'r' })
  await run.settled
  await deleteDB(name)

  await expect(run.say('2')).rejects.toMatchObject({
    code: 'journal_conflict',
    message: expect.stringMatching(/deleted/),
  })
  expect(await described.start('3', { journal }).settled).toMatchObject({ type: 'answer' })
})

it('makes room for a newer version in another tab, and asks to load the page again', async () => {
  const name = newName()
  const journal = indexedDbJournal({ name })
  await journal.append('a', [started('a')])
  const newer = await openDB(name, 99)

  await expect(Promise.resolve(journal.read('a'))).rejects.toMatchObject({
    code: 'journal_failed',
    message: expect.stringMatching(/newer version/),
  })
  newer.close()
})

it('tells how safe and how full the storage is', async ({ skip }) => {
  skip(!('storage' in navigator), 'This browser has no navigator.storage.')
  expect(await persistence()).toEqual({ persisted: false, usage: expect.any(Number), quota: expect.any(Number) })
  expect(typeof (await askToPersist())).toBe('boolean')
})
