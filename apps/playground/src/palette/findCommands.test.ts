import { expect, it } from 'vitest'
import type { Command } from '../commands/Command.ts'
import { findCommands, groupFound } from './findCommands.ts'

const command = (title: string, words = ''): Command => ({ id: title, group: 'Page', title, words, run: () => {} })
const commands = [
  command('Stop the run', 'cancel'),
  command('New run'),
  command('Export the run as a file', 'save'),
  command('Dark colors', 'theme'),
]
const titles = (query: string) => findCommands(commands, query).map(({ command: { title } }) => title)

it('has all of them in their order for an empty query', () => {
  expect(titles(' ')).toEqual(commands.map(({ title }) => title))
})

it('finds by the beginnings of words, in any order', () => {
  expect(titles('run stop')).toEqual(['Stop the run'])
  expect(titles('dar col')).toEqual(['Dark colors'])
})

it('has what begins with the word before what only has its letters', () => {
  expect(titles('ex')[0]).toBe('Export the run as a file')
})

it('finds by letters that stand near each other, and by other words', () => {
  expect(titles('nwrn')).toEqual(['New run'])
  expect(titles('theme')).toEqual(['Dark colors'])
  expect(titles('zebra')).toEqual([])
})

it('says which characters were meant', () => {
  expect([...(findCommands(commands, 'dark')[0]?.marked ?? [])]).toEqual([0, 1, 2, 3])
})

const compare: Command = {
  id: 'run.compare.a',
  group: 'This run',
  title: 'Compare with: A',
  isOnlyFound: true,
  run: () => {},
}
const stop: Command = { id: 'run.stop', group: 'This run', title: 'Stop the run', run: () => {} }
const listed = (query: string, recent: readonly string[] = []) =>
  groupFound(findCommands([stop, compare], query), query, recent).map(({ title, found }) => [
    title,
    ...found.map(({ command }) => command.id),
  ])

it('lists what there may be many of once it fits what was typed, or was used before', () => {
  expect(listed('')).toEqual([['This run', 'run.stop']])
  expect(listed('compare')).toEqual([['Best fit', 'run.compare.a']])
  expect(listed('', ['run.compare.a'])).toEqual([
    ['Recent', 'run.compare.a'],
    ['This run', 'run.stop'],
  ])
})
