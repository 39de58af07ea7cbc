import { expect, it } from 'vitest'
import { duration } from './wording.ts'

it.each([
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_960, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [12_000_000, '3 h 20 min'],
])('says %d milliseconds as %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})
