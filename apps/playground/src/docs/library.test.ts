import { expect, it } from 'vitest'
import { createLibrary } from './library.ts'

const library = createLibrary([
  { id: 'a.md#signals', title: 'Signals', body: 'A signal says why a run rests.' },
  { id: 'a.md#journal', title: 'Journal', body: 'Where the log of a run is kept.' },
  { id: 'a.md#install', title: 'Install', body: 'What to do when the signal of the network is weak.' },
])

it('finds sections by their words, the heading first', () => {
  const found = library.search('What is a signal?', 5)

  expect(found.map(({ id }) => id)).toEqual(['a.md#signals', 'a.md#install'])
})

it('finds nothing for words that are in every question', () => {
  expect(library.search('what is the', 5)).toEqual([])
})

it('reads a section by its id', () => {
  expect(library.read('a.md#journal')?.body).toContain('kept')
  expect(library.read('nowhere')).toBeUndefined()
})
