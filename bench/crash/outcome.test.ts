import { expect, it } from 'vitest'
import { judge } from './outcome.ts'
import { type Entry, isWhole, World } from './world.ts'

const paid = (...amounts: readonly number[]): readonly Entry[] =>
  amounts.map((amount) => ({ run: 'a', amount, hash: '' }))

it.each([
  ['once', paid(10), [10], 0],
  ['asked', paid(10), [10], 1],
  ['doubled', paid(10, 10), [10], 0],
  ['lost', [], [10], 0],
  ['lost', paid(10), undefined, 0],
  ['diverged', paid(10, 11), [11], 0],
  ['diverged', paid(10), [11], 0],
  ['diverged', paid(10), [10, 10], 0],
] as const)('judges a run as %s', (outcome, entries, amounts, asked) => {
  expect(judge(entries, amounts && { amounts }, asked)).toBe(outcome)
})

it('pays once for a key, kills once at a barrier, and notices a changed ledger', async () => {
  const world = new World()
  const url = await world.open()
  let kills = 0
  const kill = async (): Promise<void> => void kills++
  world.watch('a', { tool: 'idempotent', barrier: 'recorded', kill, done() {} })
  const post = async (path: string, body: object): Promise<unknown> =>
    (await fetch(url + path, { method: 'POST', body: JSON.stringify({ run: 'a', ...body }) })).json()

  for (const key of ['k', 'k', 'l']) expect(await post('/pay', { amount: 10, key })).toBe(10)
  expect(world.entriesOf('a')).toHaveLength(2)
  expect(await post('/model', { results: 0 })).toEqual({ amount: 10 })
  expect(await post('/model', { results: 1 })).toEqual({ text: 'Paid.' })
  expect(kills).toBe(1)
  expect(await post('/model', { results: 1 })).toEqual({ text: 'Paid.' })
  expect(kills).toBe(1)

  expect(isWhole(world.entries)).toBe(true)
  expect(isWhole(world.entries.slice(1))).toBe(false)
  expect(isWhole(world.entries.map((entry) => ({ ...entry, amount: 1 })))).toBe(false)
  await world.close()
})
