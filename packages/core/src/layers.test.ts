import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/**
 * The floors of the source, from the lowest, above the data at the root: a part imports only itself and lower floors.
 */
const floors: readonly (readonly string[])[] = [
  ['checks/', 'jsonSchema/', 'validate/', 'redact/', 'changes/'],
  ['log/'],
  ['engine/'],
  ['calls/'],
  ['capabilities/questions/'],
  ['capabilities/interruptions/', 'capabilities/elsewhere/'],
  ['capabilities/approvals/'],
  ['journal/'],
  ['children/', 'history/'],
  [
    'capabilities/answer/',
    'capabilities/file/',
    'capabilities/jsonSchema/',
    'capabilities/planNext/',
    'capabilities/prices/',
  ],
  ['stop/', 'tools/'],
  ['steps/'],
  ['agents/', 'graph/'],
  ['agent'],
  ['index', 'internal', 'fetch'],
]

/** The third-party libraries, by the parts that use them. Code that does not import these parts does not load them. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  'jsonSchema/': ['@cfworker/json-schema'],
  'steps/compact/': ['tokenx'],
  'steps/memory/': ['minisearch'],
}

const source = import.meta.dirname
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))

/** A folder, or a file of the root. Each capability is a part of its own. */
const roomOf = (file: string): string => /^(?:capabilities\/)?[^/]+\//.exec(file)?.[0] ?? file.replace(/\.ts$/, '')
const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room))

const importsOf = (file: string): string[] =>
  [...readFileSync(path.join(source, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    path.posix.join(path.posix.dirname(file), target),
  )

it.each(files)('%s imports only from its own part and from lower floors', (file) => {
  const room = roomOf(file)
  const floor = floorOf(room)

  for (const target of importsOf(file)) {
    const other = roomOf(target)
    if (other === room || (!room.endsWith('/') && floorOf(other) === floor)) continue
    expect(floorOf(other), `${file} → ${target}`).toBeLessThan(floor)
  }
})

/** The longest chain of imports, with types: the files that one reads at most to understand one. */
const longestChain = 19

it(`has chains of at most ${longestChain} imports`, () => {
  const lengths = new Map<string, number>()
  const lengthOf = (file: string): number => {
    const known = lengths.get(file) ?? 1 + Math.max(0, ...importsOf(file).map(lengthOf))
    lengths.set(file, known)
    return known
  }

  expect(Math.max(...files.map(lengthOf))).toBeLessThanOrEqual(longestChain)
})

/** The files that must not need others, also not by way of further files. */
const independent: readonly (readonly [RegExp, string])[] = [
  // Only a summary asks a model.
  [/^steps\/compact\/(?!compact\.ts|summarize\.ts)/, 'steps/callModel.ts'],
]

it.each(independent)('%s does not need %s', (pattern, other) => {
  const checked = files.filter((file) => pattern.test(file))

  expect(checked).not.toEqual([])
  for (const file of checked) expect(neededBy(file), file).not.toContain(other)
})

it('has a kernel that knows no capability', () => {
  expect([...neededBy('agent.ts')].filter((file) => file.startsWith('capabilities/'))).toEqual([])
})

/** Returns a file and all that it imports, directly or not. */
function neededBy(file: string): ReadonlySet<string> {
  const needed = new Set([file])
  // The set grows while it is read.
  for (const each of needed) for (const target of importsOf(each)) needed.add(target)
  return needed
}

it.each(files)('%s imports no package at run time but its own library', (file) => {
  const text = readFileSync(path.join(source, file), 'utf8')

  const packages = [...text.matchAll(/^(?:import|export) (?!type )[^'\n]* from '([^.#'][^']*)'/gm)].map(
    ([, name]) => name,
  )

  const own = Object.entries(libraries).find(([folder]) => file.startsWith(folder))?.[1] ?? []
  expect(packages.filter((name = '') => !own.includes(name))).toEqual([])
})
