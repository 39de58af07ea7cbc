import { agent } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { acrossTabs } from './index.ts'

it('holds no lock of runs that rest', async () => {
  const name = `park-${Date.now()}`
  const journal = indexedDbJournal({ name })
  const turns = Array.from({ length: 40 }, () => 'Done.')
  const guide = acrossTabs(agent({ name: 'guide', model: scriptedModel(...turns) }), { journal, takeoverAfterMs: 100 })
  const locks = async (): Promise<number> => {
    const { held = [], pending = [] } = await navigator.locks.query()
    return [...held, ...pending].filter((lock) => lock.name?.includes(name)).length
  }
  const runs = turns.slice(1).map((_, n) => guide.start('Go', { id: `${name}/${n}` }))
  const before = await locks()
  await Promise.all(runs.map(({ settled }) => settled))

  await expect.poll(locks, { timeout: 10_000 }).toBe(0)
  await runs[0]?.say('More')

  expect(before).toBe(runs.length)
  expect(await runs[0]?.settled).toMatchObject({ output: 'Done.' })
  for (const run of runs) run.close()
})
