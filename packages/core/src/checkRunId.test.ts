import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from './index.ts'
import { createJournal, fork, importRun, type Journal, memoryJournal } from './journal/index.ts'

const described = () => agent({ name: 'a', model: scriptedModel('Hi.', 'Hi.') })
/** A journal that looks at no id. */
const careless = (): Journal => createJournal({ append: () => {}, read: () => [], list: () => [], delete: () => {} })
const noIds = ['', 7, null, ['r'], {}] as unknown as string[]

it.each(noIds)('refuses %j for the id of a run, where it is given', async (id) => {
  const journal = careless()

  expect(() => described().start('Go', { id, journal })).toThrow(
    /a text that is not empty|must be a string|is null. Leave it out/,
  )
  await expect(described().resume(id, { journal })).rejects.toThrow(/a text that is not empty|not the state of a run/)
})

const broken = ['a\ud800', '\udc00b', 'x'.repeat(2_001)]

it.each(broken)('starts, forks and keeps no run under an id that no address can have: %j', async (id) => {
  const journal = memoryJournal()
  await described().start('Go', { id: 'r', journal }).settled

  expect(() => described().start('Go', { id, journal })).toThrow(/well-formed Unicode/)
  await expect(fork(described(), 'r', { id, journal })).rejects.toMatchObject({ code: 'options_invalid' })
  expect(() => journal.append(id, [])).toThrow(/well-formed Unicode/)
  // What an older version kept can be looked for, and deleted.
  expect(journal.read(id)).toEqual([])
  journal.delete(id)
  expect(journal.list()).toHaveLength(1)
})

it.each([
  ['an id with half a character', { runId: 'a\ud800' }],
  ['an id that is too long', { runId: 'x'.repeat(2_001) }],
  ['a time after the last date', { at: 8.64e15 + 1 }],
  ['a time before 1970', { at: -1 }],
])('refuses a file with %s, and changes nothing', async (_, change) => {
  const journal = memoryJournal()
  const event = { type: 'started', runId: 'r', agent: 'a', version: '1', seq: 0, at: 0, iteration: 0 }
  const file = { format: 'interleave.debug', formatVersion: 1, events: [{ ...event, ...change }] }

  await expect(importRun(file, { journal })).rejects.toMatchObject({ code: 'log_invalid' })

  expect(journal.list()).toEqual([])
})

it('refuses an empty id for a fork before it writes', async () => {
  const kept = memoryJournal()
  await described().start('Go', { id: 'r', journal: kept }).settled

  await expect(fork(described(), 'r', { id: '', journal: kept })).rejects.toMatchObject({ code: 'options_invalid' })

  expect(kept.list()).toHaveLength(1)
})

it.each(['__proto__', 'constructor', 'prototype', 'a/b'])('takes %s for an id like any other', async (id) => {
  const journal = memoryJournal()
  await expect(described().resume(id, { journal })).rejects.toMatchObject({ code: 'run_unknown' })

  await described().start('Go', { id, journal }).settled
  const run = await described().resume(id, { journal })
  await run.say('Again')

  expect(await run.settled).toMatchObject({ output: 'Hi.' })
  expect(Object.keys(Object.prototype)).toEqual([])
})
