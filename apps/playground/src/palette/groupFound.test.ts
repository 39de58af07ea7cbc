import { expect, it } from 'vitest'
import type { Command } from '../commands/Command.ts'
import { findCommands } from './findCommands.ts'
import { groupFound } from './groupFound.ts'

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
