import { expect, it } from 'vitest'
import { checkRecord } from './checkRecord.ts'

const record = { runId: 'a', offer: 'trip', file: 'interleave: 1', connection: { type: 'demo' } }

it.each([record, { ...record, place: 'sharedWorker' }])('takes a record that it wrote', (written) => {
  expect(checkRecord(written)).toEqual(written)
})

it.each([
  undefined,
  [],
  { ...record, runId: '' },
  { ...record, file: 3 },
  { ...record, place: 'elsewhere' },
  { ...record, connection: { type: 'elsewhere' } },
  { ...record, connection: { type: 'server', url: 'no address', modelId: 'm', needsKey: false } },
  { ...record, connection: { type: 'openai', modelId: 'm', route: 'direct', key: 'sk-123' } },
])('refuses %j', (data) => {
  expect(checkRecord(data)).toBeUndefined()
})
