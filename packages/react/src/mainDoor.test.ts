import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** The files that a file brings along, itself included. */
function broughtAlong(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  for (const [, from = ''] of source.matchAll(/from '(\.[^']+)'/g)) broughtAlong(path.resolve(file, '..', from), seen)
  return seen
}

const doorOf = (name: string): string[] =>
  [...broughtAlong(path.join(import.meta.dirname, name))].map((file) => path.relative(import.meta.dirname, file))

it('brings nothing of the devtools along', () => {
  const files = doorOf('index.ts')

  expect(files).toContain('useReAct.ts')
  expect(files.filter((file) => file.startsWith('devtools'))).toEqual([])
})

it('brings nothing of the outlet along with the devtools', () => {
  expect(doorOf('devtools/index.ts').filter((file) => file.startsWith('outlet'))).toEqual([])
})
