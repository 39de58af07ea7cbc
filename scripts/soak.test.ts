import path from 'node:path'
import { expect, test } from 'vitest'
import { select, soakFiles } from './soak.mjs'

const include = [
  'packages/*/src/**/*.test.ts',
  'test/e2e/*.e2e.test.ts',
  'packages/react/src/outlet/SignalOutlet.test.tsx',
]

test('leaves soak files out', () => {
  expect(select('no', include)).toEqual({ include, exclude: ['**/node_modules/**', '**/*.soak.*'] })
})

test('selects soak files alone, and nothing by a pattern without a star', () => {
  expect(select('only', include, ['**/*.browser.test.ts'])).toEqual({
    include: ['packages/*/src/**/*.soak.test.ts', 'test/e2e/*.soak.e2e.test.ts'],
    exclude: ['**/node_modules/**', '**/*.browser.test.ts'],
  })
})

test('selects soak files as well', () => {
  expect(select('too', include)).toEqual({ include, exclude: ['**/node_modules/**'] })
})

const files = soakFiles(path.join(import.meta.dirname, '..'))

test('finds the soak files of this repository', () => {
  expect(files.length).toBeGreaterThan(10)
})

test('`.soak.` comes before the kind of a test, or no project would run it', () => {
  const kinds = 'browser|conformance|e2e|edge|engines|portable|restate|survival|workerd'

  expect(files.filter((file) => !new RegExp(`[^.]\\.soak(\\.(${kinds}))?\\.test\\.tsx?$`).test(file))).toEqual([])
})
