import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { bookTable } from './waiter.ts'

test('asks when, and books', async () => {
  const model = scriptedModel({ calls: [{ name: 'bookTable', input: { people: 4 } }] }, ({ prompt }) =>
    JSON.stringify(prompt.at(-1)),
  )
  const run = agent({ name: 'waiter', model, tools: { bookTable } }).start('A table for four, please.')

  const signal = await run.settled
  assert(signal.type === 'inputNeeded')
  for (const ask of signal.asks) await run.reply(ask, '20:30')

  const end = await run.settled
  assert(end.type === 'answer')
  assert.match(end.output, /Booked for 4 at 20:30\./)
})
