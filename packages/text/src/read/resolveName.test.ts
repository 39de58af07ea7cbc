import { expect, it } from 'vitest'
import { isNoTool, resolveName } from './names.ts'

const tools = ['search', 'Read File']

it.each([
  [' search ', 'search'],
  ['`search`', 'search'],
  ['"search"', 'search'],
  ['**search**', 'search'],
  ['*search*', 'search'],
  ['** search', 'search'],
  ['search ****', 'search'],
  ['search.', 'search'],
  ['Search', 'search'],
  ['[search]', 'search'],
  ['search()', 'search'],
  ['search (the web)', 'search'],
  ['read file', 'Read File'],
  ['fetch (a page)', 'fetch (a page)'],
])('takes %j for %j', (written, name) => {
  expect(resolveName(written, tools)).toBe(name)
})

it('changes little where the tools are not known', () => {
  expect(resolveName('`Search`', undefined)).toBe('Search')
  expect(resolveName('add (two numbers)', undefined)).toBe('add (two numbers)')
  expect(resolveName('Write it.', undefined)).toBe('Write it.')
  expect(resolveName('****', undefined)).toBe('****')
})

it.each([['None'], ['none needed'], ['N/A'], ['None (I can answer)']])('knows that %j is no tool', (name) => {
  expect(isNoTool(name)).toBe(true)
})

it('knows that a tool may begin like no tool', () => {
  expect(isNoTool('nonesuch')).toBe(false)
  expect(isNoTool('search')).toBe(false)
})
