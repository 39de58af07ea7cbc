import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const source = path.resolve(import.meta.dirname, '..')

/** All files that a file imports, directly or through others. */
function reached(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, target = ''] of readFileSync(path.join(source, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    reached(path.posix.join(path.posix.dirname(file), target), seen)
  }
  return seen
}

it.each(['index.ts', 'steps/index.ts', 'graph/index.ts', 'text/index.ts', 'observe/index.ts'])(
  'is not loaded by who imports %s alone',
  (door) => {
    expect([...reached(door)].filter((file) => file.startsWith('config/'))).toEqual([])
  },
)
