import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { engines, enginesOf } from './find-engines.mjs'

const all = ['chromium', 'firefox', 'webkit']

test('all engines are tried unless some are named', () => {
  expect(enginesOf({})).toEqual(all)
  expect(enginesOf({ ENGINES: 'webkit, chromium' })).toEqual(['chromium', 'webkit'])
  expect(enginesOf({ CI: 'false', ENGINES: 'firefox' })).toEqual(['firefox'])
})

test('continuous integration leaves none out', () => {
  expect(enginesOf({ CI: 'true' })).toEqual(all)
  expect(() => enginesOf({ CI: 'true', ENGINES: 'chromium,webkit' })).toThrow(/must not leave out/)
  expect(readFileSync(new URL('../.ci/run', import.meta.url), 'utf8')).toMatch(/^export CI=true$/m)
})

test('an engine that does not exist is refused, with those that do', () => {
  expect(() => enginesOf({ ENGINES: 'safari' })).toThrow(/chromium,firefox,webkit/)
})

test.each(Object.entries(engines))('the advice for %s says what to install and how', (_, { advice }) => {
  expect(advice).toMatch(/[Ii]nstall .*(npm test|npm run test:soak)/s)
})
