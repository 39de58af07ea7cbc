import { expect, it } from 'vitest'
import { memoryBank } from './memoryBank.ts'

const order = { key: 'a', runId: 'r', what: 'RAIL-PAR-AMS-0720', amount: 54 }
const { signal } = new AbortController()

it('pays once per key, and counts how often it was asked', async () => {
  const bank = memoryBank({ now: () => 7 })

  await bank.pay(order, signal)
  await bank.pay({ ...order, amount: 99 }, signal)
  await bank.pay({ ...order, key: 'b', runId: 's' }, signal)

  expect(await bank.paymentsOf('r')).toEqual([{ ...order, at: 7, asked: 2 }])
})

it('has paid before it answers, and answers at once when it is asked again', async () => {
  const bank = memoryBank({ answerMs: 60_000 })
  const killed = new AbortController()
  const answer = bank.pay(order, killed.signal)
  killed.abort(new Error('killed'))

  await expect(answer).rejects.toThrow('killed')
  expect(await bank.paymentsOf('r')).toMatchObject([{ asked: 1 }])
  expect(await bank.pay(order, signal)).toMatchObject({ asked: 2, amount: 54 })
})

it('tells those who watch', async () => {
  const bank = memoryBank()
  const told: string[] = []
  const leave = bank.watch(() => told.push('changed'))

  await bank.pay(order, signal)
  leave()
  await bank.pay(order, signal)

  expect(told).toEqual(['changed'])
})
