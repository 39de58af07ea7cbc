import { expect, it } from 'vitest'
import { checkRecord } from './checkRecord.ts'

const record = { runId: 'a', offer: 'trip', file: 'interleave: 1', connection: { type: 'demo' } }

it('takes a record that it wrote', () => {
  expect(checkRecord(record)).toEqual(record)
})

it.each([
  undefined,
  [],
  { ...record, runId: '' },
  { ...record, file: 3 },
  { ...record, connection: { type: 'elsewhere' } },
  { ...record, connection: { type: 'server', url: 'no address', modelId: 'm', needsKey: false } },
  { ...record, connection: { type: 'openai', modelId: 'm', route: 'direct', key: 'sk-123' } },
])('refuses %j', (data) => {
  expect(checkRecord(data)).toBeUndefined()
})
