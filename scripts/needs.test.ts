import { expect, test } from 'vitest'
import { needsOf } from './needs.mjs'

test('a project that reads sources needs nothing', () => {
  expect(needsOf(['--project', 'unit', '--project=types'])).toEqual(new Set())
})

test('the needs of several projects add up', () => {
  expect(needsOf(['--project=workerd', '--project=browser'])).toEqual(new Set(['build', 'chromium']))
})

test.each([[[]], [['agent']], [['--project=!e2e']], [['--project']]])('%j may run every project', (args) => {
  expect(needsOf(args)).toEqual(new Set(['build', 'chromium']))
})
