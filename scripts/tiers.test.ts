import path from 'node:path'
import { expect, test } from 'vitest'
import { select, slowFiles } from './tiers.mjs'

const include = [
  'packages/*/src/**/*.test.ts',
  'test/e2e/*.e2e.test.ts',
  'packages/react/src/outlet/SignalOutlet.test.tsx',
]

test('leaves slow files out', () => {
  expect(select('quick', include)).toEqual({
    include,
    exclude: ['**/node_modules/**', '**/*.soak.*', '**/*.nightly.*'],
  })
})

test.each(['soak', 'nightly'] as const)('selects %s files alone, and nothing by a pattern without a star', (tier) => {
  expect(select(tier, include, ['**/*.browser.test.ts'])).toEqual({
    include: [`packages/*/src/**/*.${tier}.test.ts`, `test/e2e/*.${tier}.e2e.test.ts`],
    exclude: ['**/node_modules/**', '**/*.browser.test.ts'],
  })
})

test('selects slow files as well', () => {
  expect(select('all', include)).toEqual({ include, exclude: ['**/node_modules/**'] })
})

const files = slowFiles(path.join(import.meta.dirname, '..'))

test('finds the slow files of this repository', () => {
  expect(files.filter((file) => file.includes('.soak.')).length).toBeGreaterThan(10)
  expect(files.filter((file) => file.includes('.nightly.')).length).toBeGreaterThan(10)
})

test('the tier comes before the kind of a test, or no project would run it', () => {
  const kinds = 'browser|conformance|e2e|edge|engines|portable|restate|survival|workerd'
  const isRun = new RegExp(`[^.]\\.(soak|nightly)(\\.(${kinds}))?\\.test\\.tsx?$`)

  expect(files.filter((file) => !isRun.test(file))).toEqual([])
})
