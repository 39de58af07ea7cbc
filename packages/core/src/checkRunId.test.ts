import { expect, it } from 'vitest'
import { agent } from './index.ts'
import { fork, type Journal, memoryJournal } from './journal/index.ts'
import { scriptedModel } from './testing/index.ts'

const described = () => agent({ name: 'a', model: scriptedModel('Hi.', 'Hi.') })
/** A journal that looks at no id. */
const careless = (): Journal => ({ append: () => {}, read: () => [], list: () => [], delete: () => {} })
const noIds = ['', 7, null, ['r'], {}] as unknown as string[]

it.each(noIds)('refuses %j for the id of a run, where it is given', async (id) => {
  const journal = careless()

  if (id !== null) expect(() => described().start('Go', { id, journal })).toThrow(/a text that is not empty/)
  await expect(described().resume(id, { journal })).rejects.toThrow(/a text that is not empty|not the state of a run/)
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
