import { expect, it } from 'vitest'
import { olderCaches } from './olderCaches.ts'

const versions = { names: ['playground 1', 'playground 2', 'models'], prefix: 'playground ', own: 'playground 2' }

it('keeps the files of an older version while one of its windows is open', () => {
  expect(olderCaches({ ...versions, open: ['new', 'old'], opened: new Set(['new']) })).toEqual([])
})

it('lets go of them when every window is of this version, and of nothing else', () => {
  const opened = new Set(['new', 'closed'])

  expect(olderCaches({ ...versions, open: ['new'], opened })).toEqual(['playground 1'])
  expect(olderCaches({ ...versions, open: [], opened: new Set() })).toEqual(['playground 1'])
})
