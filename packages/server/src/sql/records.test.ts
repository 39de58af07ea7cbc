import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readRecords, toParts } from './sqlTables.ts'

it('takes a record apart between characters, and puts it together again', () => {
  const values = fc.tuple(fc.integer({ min: 499_990, max: 500_010 }), fc.string({ unit: 'grapheme', maxLength: 30 }))
  fc.assert(
    fc.property(values, ([length, text]) => {
      const record = [{ type: 'noted', value: 'x'.repeat(length) + text }]
      const parts = toParts(JSON.stringify(record))
      const rows = parts.map((json) => ({ seq: 0, json: new TextDecoder().decode(new TextEncoder().encode(json)) }))

      expect(readRecords(rows)).toEqual(record)
    }),
    { numRuns: 20 },
  )
})

it.each(['', '[', '{}', 'null'])('gives %j as an event, which is refused later', (json) => {
  expect(readRecords([{ seq: 0, json }])).toMatchObject([{ type: 'damaged', record: json }])
})
