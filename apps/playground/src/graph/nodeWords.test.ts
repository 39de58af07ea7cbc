import { END } from '@interleave/core/graph'
import { expect, it } from 'vitest'
import { boxWords, nodeWords } from './nodeWords.ts'

const graph = {
  parallel: [{ node: 'look', branches: ['trains', 'flights'] }],
  edges: [
    { from: 'look', to: 'ask', conditional: false },
    { from: 'ask', to: 'wait', conditional: true },
    { from: 'ask', to: 'book', conditional: true },
    { from: 'ask', to: END, conditional: true },
    { from: 'book', to: END, conditional: false },
  ],
}

it.each([
  ['look', { visits: 2 }, 'look: 2 visits; trains and flights, side by side; then ask'],
  ['ask', { visits: 1, doing: 'asks you' }, 'ask: the run is here, asks you; 1 visit; then wait, book or end'],
  ['book', { visits: 0 }, 'book: not visited yet; then end'],
  [END, { visits: 0, doing: 'done' }, 'end: the run is here'],
] as const)('reports %s where it leads', (name, standing, words) => {
  expect(nodeWords(graph, name, standing)).toBe(words)
})

it('has room for few words in a box', () => {
  expect(boxWords({ visits: 0 })).toBe('')
  expect(boxWords({ visits: 1 })).toBe('1 visit')
  expect(boxWords({ visits: 3, doing: 'at work' })).toBe('at work · ×3')
  expect(boxWords({ visits: 0, doing: 'done' })).toBe('done')
})
