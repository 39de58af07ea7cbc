import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Floors from the ground up. A file of the vocabulary imports only the vocabulary, a part only the vocabulary and itself. */
const parts = ['steps/', 'stop/', 'graph/', 'journal/', 'observe/', 'tools/']
const engine = [
  'agent',
  'execution',
  'createRunContext',
  'log',
  'rest',
  'people',
  'eventsOf',
  'mirror',
  'shownRun',
  'writtenRun',
  'untilSignal',
  'backends/',
]
/** Entry points at the root. */
const doors = ['index', 'agents/', 'internal', 'shapes']

/** Where a well-kept library does what is not ours to do. Who does not import these parts does not load it. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  'steps/compact/': ['tokenx'],
  'steps/memory/': ['minisearch'],
  'journal/indexedDb/': ['idb'],
}

const source = import.meta.dirname
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))

/** A folder, or a file of the root. */
const roomOf = (file: string): string => /^[^/]+\//.exec(file)?.[0] ?? file.replace(/\.ts$/, '')
const floorOf = (room: string): number =>
  doors.includes(room) ? 4 : engine.includes(room) ? 3 : parts.includes(room) ? 2 : 1

const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(source, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  )

it.each(files)('%s imports only from its own floor or below, and from no neighbouring part', (file) => {
  const room = roomOf(file)

  for (const target of importsOf(file)) {
    const other = roomOf(target)
    expect(floorOf(other), `${file} → ${target}`).toBeLessThanOrEqual(floorOf(room))
    if (floorOf(room) === 2 && floorOf(other) === 2) expect(other, `${file} → ${target}`).toBe(room)
  }
})

it.each(files)('%s imports no package at run time but its own library', (file) => {
  const text = readFileSync(path.join(source, file), 'utf8')

  const packages = [...text.matchAll(/^(?:import|export) (?!type )[^'\n]* from '([^.'][^']*)'/gm)].map(
    ([, name]) => name,
  )

  const own = Object.entries(libraries).find(([folder]) => file.startsWith(folder))?.[1] ?? []
  expect(packages.filter((name = '') => !own.includes(name))).toEqual([])
})
