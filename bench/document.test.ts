import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readResults, toDocument, toPictures } from './document.ts'
import type { Result } from './sample.ts'
import { markdownTable } from './table.ts'

const results = readResults()

it('keeps the document in step with the record', () => {
  const written = readFileSync(path.resolve(import.meta.dirname, '../docs/benchmarks.md'), 'utf8')

  expect(toDocument(results)).toBe(written)
})

it('prints no heap that cannot be, and no ratio to a floor that cannot be measured', () => {
  const heap = (subject: string, median: number): Result => {
    const numbers = { median, min: median, max: median }
    return { case: 'heap', metric: 'kept', unit: 'kB', subject, ...numbers }
  }
  const rows = (floor: number) => markdownTable('Heap', [heap('floor', floor), heap('one', -418), heap('two', 314)])

  expect(rows(36.2)).toContain('| 36.2 | not measurable | 314 8.67× |')
  expect(rows(0.0724)).toContain('| 0.0724 | not measurable | 314 |')
})

it('keeps the pictures in step with the record', () => {
  const pictures = toPictures(results)

  expect(pictures.size).toBeGreaterThan(5)
  for (const [file, picture] of pictures) expect(readFileSync(file, 'utf8')).toBe(picture)
})
