import { expect, test } from 'vitest'
import { needsOf } from './needs.mjs'

test('a project that reads sources needs nothing', () => {
  expect(needsOf(['--project', 'unit', '--project=types'])).toEqual(new Set())
})

test('the needs of several projects add up', () => {
  expect(needsOf(['--project=workerd', '--project=browser'])).toEqual(new Set(['build', 'chromium']))
})

test('a run of the soak tests needs the other engines too, and so does their own project', () => {
  expect(needsOf([], 'soak')).toEqual(new Set(['build', 'chromium', 'programs', 'firefox', 'webkit']))
  expect(needsOf(['--project', 'webkit'])).toEqual(new Set(['webkit']))
})

test.each([[[]], [['agent']], [['--project=!e2e']], [['--project']]])('%j may run every project', (args) => {
  expect(needsOf(args)).toEqual(new Set(['build', 'chromium', 'programs']))
})
