import { expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createPlayground } from '../run/createPlayground.ts'
import { draftOf, readUnsent, toDrafted, type Unsent } from '../run/drafts.ts'
import { keepStored, storedParts, unsent } from './keepStored.ts'

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
  keepStored(store, storage, [unsent])

  store.setState(({ drafts }) => ({ drafts: toDrafted(drafts, 'r', 'Half a sen') }))
  store.setState({ edits: { trip: { draft: 'a', used: 'b' } } })
  const later = createStore<Unsent>(() => empty)
  keepStored(later, storage, [unsent])

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
])('begins again where %j is stored', (text) => {
  expect(readUnsent(text)).toEqual(empty)
})

it('continues where the browser has no room', () => {
  const store = createStore<Unsent>(() => empty)
  const refuse = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  keepStored(store, refuse, [unsent])

  store.setState({ drafts: { r: 'x' } })

  expect(store.getState().drafts).toEqual({ r: 'x' })
})

it('brings back where new runs work, settings and marks, and nothing that this version does not know', () => {
  const stored = new Map([
    ['place', 'moon'],
    ['marks', '{'],
    ['settings', '{"theme":"dark"}'],
  ])
  const storage = () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  })
  const { store } = createPlayground()

  keepStored(store, storage, storedParts)
  const { place, marks, settings } = store.getState()
  store.setState({ place: 'worker' })

  expect({ place, marks, theme: settings.theme }).toEqual({ place: 'page', marks: {}, theme: 'dark' })
  expect(stored.get('place')).toBe('worker')
})
