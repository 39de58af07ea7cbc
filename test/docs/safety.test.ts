import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from './codeBlocks.ts'

const page = readFileSync(path.join(root, 'docs/safety.md'), 'utf8')
const rows = [...page.matchAll(/^\| (.*) \| (.*\.test\.tsx?`.*) \|$/gm)].map(([, guarantee = '', where = '']) => ({
  guarantee,
  files: [...where.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, file = '']) => file),
}))

/** The numbers that the tests of a file begin with, such as `row 3: `. */
const numbersIn = (file: string): readonly string[] =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/'row (\d+): /g)].map(([, number = '']) => number)

it.each(rows)('the tests of one number prove: $guarantee', ({ files }) => {
  const [first = [], ...others] = files.map(numbersIn)

  expect(first.filter((number) => others.every((numbers) => numbers.includes(number)))).not.toEqual([])
})

it('has a guarantee for each number', () => {
  const numbers = new Set(rows.flatMap(({ files }) => files.flatMap(numbersIn)))

  expect(rows.length).toBe(numbers.size)
})
