import { expect, it } from 'vitest'
import { rangeOfLine } from './useProblems.ts'

it.each([
  [1, 'ab'],
  [2, ''],
  [3, 'cd'],
  [9, ''],
])('finds line %d', (line, words) => {
  const text = 'ab\n\ncd'

  expect(text.slice(...rangeOfLine(text, line))).toBe(words)
})
