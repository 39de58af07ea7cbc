import { expect, it } from 'vitest'
import { wayOf } from './wayOf.ts'

const scope = 'http://127.0.0.1:4173/'
const precached = { scope, files: new Set([`${scope}assets/index-1.js`]) }
const way = (path: string, { method = 'GET', mode = 'cors' as RequestMode } = {}) =>
  wayOf({ url: new URL(path, scope).href, method, mode }, precached)

it('looks after the page and its files', () => {
  expect(way('/', { mode: 'navigate' })).toBe('page')
  expect(way('/#/runs/1', { mode: 'navigate' })).toBe('page')
  expect(way('/?from=home-screen', { mode: 'navigate' })).toBe('page')
  expect(way('/assets/index-1.js')).toBe('file')
  expect(way('/assets/index-of-an-older-version.js')).toBe('file')
})

it.each<[string, { method?: string; mode?: RequestMode }?]>([
  ['/llm/models'],
  ['/llm/chat/completions', { method: 'POST' }],
  ['https://api.openai.com/v1/models'],
  ['https://elsewhere.example/assets/index-1.js'],
  ['/llm', { mode: 'navigate' }],
  ['https://elsewhere.example/', { mode: 'navigate' }],
])('leaves %s alone', (path, request) => {
  expect(way(path, request)).toBeUndefined()
})
