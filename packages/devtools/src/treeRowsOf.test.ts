import fc from 'fast-check'
import { expect, it } from 'vitest'
import { goldenLog } from '../../../test/golden/goldenLogs.ts'
import { findEvents } from './EventList.tsx'
import { changedPaths, treeRowsOf } from './treeRowsOf.ts'

const value = { name: 'Ada', trips: [{ to: 'Rome' }, { to: 'Paris', by: { train: true } }], none: undefined }
const pathsOf = (toggled: readonly string[], query = '') =>
  treeRowsOf(value, { toggled: new Set(toggled), query }).map(({ path }) => path)

it('opens what was opened, and closes the whole', () => {
  expect(pathsOf([])).toEqual(['', '/name', '/trips'])
  expect(pathsOf(['/trips', '/trips/1'])).toEqual([
    '',
    '/name',
    '/trips',
    '/trips/0',
    '/trips/1',
    '/trips/1/to',
    '/trips/1/by',
  ])
  expect(pathsOf([''])).toEqual([''])
})

it('shows what is found with the way there, and what it holds once that is opened', () => {
  expect(pathsOf([], 'PARIS')).toEqual(['', '/trips', '/trips/1', '/trips/1/to'])
  expect(pathsOf([], 'by')).toEqual(['', '/trips', '/trips/1', '/trips/1/by'])
  expect(pathsOf(['/trips/1/by'], 'by')).toEqual(['', '/trips', '/trips/1', '/trips/1/by', '/trips/1/by/train'])
  expect(pathsOf([], 'nowhere')).toEqual([''])
})

it('gives every row a position among its siblings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ maxLength: 2 }), (json, query) => {
      for (const { position, siblings, level, path } of treeRowsOf(json, { toggled: new Set(), query })) {
        expect(position).toBeGreaterThan(0)
        expect(position).toBeLessThanOrEqual(siblings)
        if (path === '') expect(level).toBe(1)
      }
    }),
  )
})

it('tells which rows have another value than before, whatever their names', () => {
  const before = { a: 1, 'x/y': [1], '~': { b: 1 }, same: [{ c: 1 }], gone: 1 }
  const after = { a: 1, 'x/y': [1, 2], '~': { b: 2 }, same: [{ c: 1 }], new: null, toString: 1 }
  const rows = treeRowsOf(after, { toggled: new Set(['/x~1y', '/~0', '/same']), query: '' })

  expect([...changedPaths(rows, before)]).toEqual(['/x~1y', '/x~1y/1', '/~0', '/~0/b', '/new', '/toString'])
})

it('finds events by type and by all words, in any order', () => {
  const events = goldenLog('approval-edited-then-a-question')

  expect(findEvents(events, { type: '', words: ' ' })).toBe(events)
  expect(findEvents(events, { type: 'asked', words: '' }).map(({ type }) => type)).toEqual(['asked', 'asked'])
  expect(findEvents(events, { type: '', words: 'approved REPLIED' }).map(({ type }) => type)).toEqual(['replied'])
})

it('searches what did not change only once, however often the rest does', () => {
  let reads = 0
  const past = {
    get said() {
      reads++
      return 'Paris'
    },
  }
  const search = (draft: string) => treeRowsOf({ past, draft }, { toggled: new Set(), query: 'rome' }).length

  const lengths = [search('Lis'), search('Lisbon'), search('Lisbon or Rome')]

  expect([reads, lengths]).toEqual([1, [1, 1, 2]])
})
