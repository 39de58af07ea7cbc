import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sqliteBank } from './sqliteBank.ts'

const order = { key: 'a', runId: 'r', what: 'RAIL-PAR-AMS-0720', amount: 54 }
const { signal } = new AbortController()

it('pays once per key, also after its process was killed, and answers at once then', async () => {
  const database = new DatabaseSync(':memory:')
  const killed = new AbortController()
  const answer = sqliteBank(database, { answerMs: 60_000, now: () => 7 }).pay(order, killed.signal)
  killed.abort(new Error('killed'))
  await expect(answer).rejects.toThrow('killed')

  const next = sqliteBank(database, { answerMs: 60_000 })

  expect(await next.pay({ ...order, amount: 99 }, signal)).toMatchObject({ amount: 54, at: 7, asked: 2 })
  expect(await next.paymentsOf('r')).toEqual([{ ...order, at: 7, asked: 2 }])
  expect(await next.paymentsOf('s')).toEqual([])
})

it('forgets the oldest payments', async () => {
  let time = 0
  const bank = sqliteBank(new DatabaseSync(':memory:'), { answerMs: 0, most: 2, now: () => time++ })
  for (let n = 0; n < 4; n++) await bank.pay({ ...order, key: `${n}` }, signal)

  expect((await bank.paymentsOf('r')).map(({ key }) => key)).toEqual(['2', '3'])
})
