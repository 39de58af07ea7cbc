import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'

const page = readFileSync(path.join(root, 'docs/safety.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d+) \| (.*) \| (.*) \|$/gm)].map(([, row = '', , where = '']) => ({
  row,
  files: [...where.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, file = '']) => file),
}))

it.each(rows)('row $row is proved by tests that bear its number', ({ row, files }) => {
  expect(files).not.toEqual([])
  for (const file of files) {
    expect(readFileSync(path.join(root, file), 'utf8'), file).toMatch(new RegExp(`'row ${row}: `))
  }
})
