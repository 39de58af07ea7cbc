import { expect, test } from 'vitest'
import { findProgram, programs, programsOf } from './find-programs.mjs'

test('continuous integration needs every program, and no other run needs one', () => {
  expect(programsOf({ CI: 'true' })).toEqual(Object.keys(programs))
  expect(programsOf({})).toEqual([])
  expect(programsOf({ CI: 'false' })).toEqual([])
})

test('a program is found on PATH, or not at all', () => {
  expect(findProgram('node')).toMatch(/node$/)
  expect(findProgram('no-such-program')).toBeUndefined()
})
