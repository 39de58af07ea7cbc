import { expect, it } from 'vitest'
import type { Message } from '../run/messages.ts'
import { isIdle } from './Suggestions.tsx'

const message = (type: string, more: object = {}): Message => ({ type, key: type, ...more }) as Message
const rules = message('text', { isRules: true })

it('offers something to ask where nothing was done for the latest message', () => {
  expect(isIdle([message('user'), rules])).toBe(true)
  expect(isIdle([message('user'), message('call'), message('text'), message('user'), rules])).toBe(true)
  expect(isIdle([message('user'), message('call'), rules])).toBe(false)
  expect(isIdle([message('user'), message('text', { isRules: false })])).toBe(false)
})
