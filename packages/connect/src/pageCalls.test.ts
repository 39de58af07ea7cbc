import { expect, it } from 'vitest'
import { ownNames } from './pageCalls.ts'

it('names what a page has, without what is undefined', () => {
  expect(ownNames('tools', { copy: () => 'copied', scan: undefined })).toEqual(['copy'])
})

it.each([
  [null, '`tools` must be an object'],
  [{ copy: 'copied' }, '`copy` of `tools` must be a function'],
])('refuses %o', (tools, problem) => {
  expect(() => ownNames('tools', tools as never)).toThrow(problem)
})
