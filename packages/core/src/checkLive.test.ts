import { expect, it } from 'vitest'
import { checkLive } from './validate/validate.ts'

it('takes live events as they are', () => {
  const events = [
    { type: 'thinking', iteration: 1 },
    { type: 'delta', kind: 'text', delta: 'Hel' },
    { type: 'progressed', call: '1/tool/0', output: { done: 0.5 } },
  ]

  expect(checkLive(events)).toBe(events)
})

it.each([
  [undefined, 'a wrong or missing ""'],
  [[{ type: 'thinking' }], '"0.iteration"'],
  [[{ type: 'thinking', iteration: 1 }, { type: 'answered' }], '"1.type"'],
  [[{ type: 'progressed', call: 'a', output: JSON.parse('{"__proto__": {"isAdmin": true}}') }], 'prototype'],
])('refuses %j', (data, why) => {
  expect(() => checkLive(data)).toThrow(
    expect.objectContaining({ code: 'request_invalid', message: expect.stringContaining(why) }),
  )
})
