import { expect, it } from 'vitest'
import { AgentError, type Failure, toFailure } from '../error.ts'
import { failureSentences, userMessageOf } from './userMessage.ts'

const secret = 'Incorrect API key provided: sk-1. http://10.0.0.7:4021/mcp'
const failure = (changes: Partial<Failure> = {}): Failure => ({
  code: 'model_failed',
  message: secret,
  retryable: false,
  ...changes,
})

it('tells users nothing of the message, whatever the code', () => {
  for (const code of Object.keys(failureSentences) as Failure['code'][]) {
    if (['approval_changed', 'guard_blocked', 'reply_invalid', 'tool_refused'].includes(code)) continue
    expect(userMessageOf(failure({ code })), code).toBe(failureSentences[code])
  }
  for (const thrown of [new Error(secret), secret, { message: secret }, new AgentError('tool_failed', secret)])
    expect(userMessageOf(thrown)).not.toContain('sk-1')
  expect(userMessageOf(failure({ code: 'toString' as Failure['code'] }))).toContain('wrong with this app')
})

it('tells users what was written for them', () => {
  const error = new AgentError('tool_failed', 'row 17: no match', { userMessage: 'There is no flight on that day.' })

  expect(userMessageOf(error)).toBe('There is no flight on that day.')
  expect(userMessageOf(toFailure(error, 'step_failed'))).toBe('There is no flight on that day.')
  expect(userMessageOf(failure({ code: 'guard_blocked', message: 'No cards, please.' }))).toBe('No cards, please.')
  expect(userMessageOf(failure({ code: 'tool_refused', message: '' }))).toBe('Refused.')
})

it('speaks the language of the app', () => {
  const german = { model_failed: 'Das Modell antwortet nicht.' }

  expect(userMessageOf(failure(), german)).toBe('Das Modell antwortet nicht.')
  expect(userMessageOf(failure({ code: 'stopped' }), german)).toBe(failureSentences.stopped)
  expect(userMessageOf(failure({ code: 'constructor' as Failure['code'] }), german)).toContain('wrong with this app')
})

it('asks for an error', () => {
  expect(() => userMessageOf(undefined)).toThrow('userMessageOf() needs an error')
})
