import { expect, it } from 'vitest'
import { whenWords } from './wording.ts'

const now = new Date(2026, 5, 15, 18)

it.each([
  [new Date(2026, 5, 15, 9, 5), '09:05'],
  [new Date(2026, 5, 14, 23), '14 Jun'],
  [new Date(2025, 11, 1), '1 Dec 2025'],
])('says when %s was', (at, words) => {
  expect(whenWords(at.getTime(), now)).toBe(words)
})

it('says nothing of a time that is no date', () => {
  expect(whenWords(9e15, now)).toBe('')
})
