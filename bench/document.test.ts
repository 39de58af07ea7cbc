import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readResults, toDocument, toPictures } from './document.ts'

const results = readResults()

it('keeps the document in step with the record', () => {
  const written = readFileSync(path.resolve(import.meta.dirname, '../docs/benchmarks.md'), 'utf8')

  expect(toDocument(results)).toBe(written)
})

it('keeps the pictures in step with the record', () => {
  const pictures = toPictures(results)

  expect(pictures.size).toBeGreaterThan(5)
  for (const [file, picture] of pictures) expect(readFileSync(file, 'utf8')).toBe(picture)
})
