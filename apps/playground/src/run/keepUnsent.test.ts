import { expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { draftOf, readUnsent, toDrafted, type Unsent } from './drafts.ts'
import { keepUnsent } from './keepUnsent.ts'

const empty: Unsent = { drafts: {}, edits: {} }

function storageOf(text: string | null = null) {
  let stored = text
  const setItem = (_: string, value: string): void => {
    stored = value
  }
  const storage = { getItem: () => stored, setItem }
  return { storage: () => storage, read: () => readUnsent(stored) }
}

it('brings back what was written and not sent', () => {
  const { storage, read } = storageOf()
  const store = createStore<Unsent>(() => empty)
  keepUnsent(store, storage)

  store.setState(({ drafts }) => ({ drafts: toDrafted(drafts, 'r', 'Half a sen') }))
  store.setState({ edits: { trip: { draft: 'a', used: 'b' } } })
  const later = createStore<Unsent>(() => empty)
  keepUnsent(later, storage)

  expect(later.getState()).toEqual(store.getState())
  expect(draftOf(read().drafts, 'r')).toBe('Half a sen')
  expect(toDrafted(read().drafts, 'r', '')).toEqual({})
})

it.each([
  null,
  '',
  '{',
  '[]',
  '7',
  '{"drafts":{"r":1},"edits":{"trip":{"used":"b"}}}',
  '{"drafts":{"__proto__":"x"},"edits":"no"}',
])('begins anew where %j is stored', (text) => {
  expect(readUnsent(text)).toEqual(empty)
})

it('goes on where the browser has no room', () => {
  const store = createStore<Unsent>(() => empty)
  const refuse = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  keepUnsent(store, refuse)

  store.setState({ drafts: { r: 'x' } })

  expect(store.getState().drafts).toEqual({ r: 'x' })
})
