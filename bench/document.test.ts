import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { toDocument } from './document.ts'

it('keeps the document in step with the record', () => {
  const results = JSON.parse(readFileSync(path.join(import.meta.dirname, 'results.json'), 'utf8'))
  const written = readFileSync(path.resolve(import.meta.dirname, '../docs/benchmarks.md'), 'utf8')

  expect(toDocument(results)).toBe(written)
})
