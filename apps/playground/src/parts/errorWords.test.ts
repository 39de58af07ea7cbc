import { expect, it } from 'vitest'
import { errorWords } from './errorWords.ts'

it.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:1/assets/runFiles-x.js',
  'error loading dynamically imported module: http://127.0.0.1:1/assets/runFiles-x.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/runFiles-x.css',
])('says what helps if a part of the page did not come: %s', (message) => {
  expect(errorWords(new TypeError(message))).toBe(
    'A part of the page could not be fetched. Load the page again: runs are kept.',
  )
})

it('keeps the words of other errors', () => {
  expect(errorWords(new Error('The disk is full.'))).toBe('The disk is full.')
})
