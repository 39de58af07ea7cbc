import { runInNewContext } from 'node:vm'
import { APICallError } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { AgentError, isAgentError, messageOf, toFailure } from './error.ts'

it('keeps code, cause, status and whether to try again', () => {
  const cause = new Error('cause')

  const error = new AgentError('model_failed', 'No.', { cause, retryable: true, status: 503 })

  expect(error).toMatchObject({ name: 'AgentError', code: 'model_failed', cause, retryable: true, status: 503 })
  expect(toFailure(error, 'step_failed')).toEqual({
    code: 'model_failed',
    message: 'No.',
    retryable: true,
    status: 503,
  })
})

it('is known by its name, not by its class', () => {
  const foreign = Object.assign(new Error('From a worker'), { name: 'AgentError', code: 'stopped' })

  expect(isAgentError(foreign)).toBe(true)
  expect(isAgentError(new Error('x'))).toBe(false)
  expect(isAgentError({ name: 'AgentError', code: 'stopped' })).toBe(false)
})

it('tells its errors apart from another frame', () => {
  const foreign = runInNewContext("Object.assign(new Error('From a frame'), { name: 'AgentError', code: 'stopped' })")

  expect(foreign).not.toBeInstanceOf(Error)
  expect(isAgentError(foreign)).toBe(true)
})

it('takes over what a provider says of its failure', () => {
  const error = new APICallError({
    message: 'Overloaded',
    url: 'https://example.test',
    requestBodyValues: {},
    statusCode: 529,
    isRetryable: true,
  })

  expect(toFailure(error, 'model_failed')).toEqual({
    code: 'model_failed',
    message: 'Overloaded',
    retryable: true,
    status: 529,
  })
})

it.each([
  [new Error('text'), 'text'],
  [new TypeError(''), 'TypeError'],
  ['text', 'text'],
  ['', '""'],
  [{ message: 'text' }, 'text'],
  [{ message: '' }, '{"message":""}'],
  [{ code: 5 }, '{"code":5}'],
  [undefined, 'It failed without a reason.'],
  [null, 'It failed without a reason.'],
  [12n, '12'],
  [Symbol('s'), 'Symbol(s)'],
])('finds words for %o', (thrown, words) => {
  expect(messageOf(thrown)).toBe(words)
})

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const throws = (): never => {
  throw new Error('Do not look.')
}

/** Returns a value that has two to the power of its depth members for code that follows each reference. */
const shared = (depth: number): unknown => (depth === 0 ? 'end' : twice(shared(depth - 1)))
const twice = (value: unknown): unknown => ({ a: value, b: value })
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], 'end')

it.each<[string, unknown]>([
  ['a revoked proxy', revoked()],
  ['getters that throw', Object.defineProperties({}, { message: { get: throws }, isRetryable: { get: throws } })],
  ['an object without words', Object.assign(Object.create(null), { self: 1n })],
  ['an error whose code is no text', Object.assign(new Error('x'), { name: 'AgentError', code: 5n, status: 5n })],
  ['an error whose message is none', Object.assign(new Error('x'), { message: 5n })],
  [
    'an error of ours whose code cannot be read',
    Object.defineProperty(new AgentError('stopped', 'x'), 'code', { get: throws }),
  ],
  ['a list of holes', new Array(100_000_000)],
  ['many bytes', { body: new Uint8Array(10_000_000) }],
  ['many members', Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [at, undefined]))],
  ['members that are shared', shared(60)],
  ['nested data', nested(100_000)],
  ['an error that is too long', new Error('x'.repeat(1_000_000))],
])('makes plain JSON of %s', (_, thrown) => {
  const failure = toFailure(thrown, 'model_failed')

  expect(isAgentError(revoked())).toBe(false)
  expect(failure).toMatchObject({ code: 'model_failed', message: expect.any(String), retryable: false })
  expect(JSON.parse(JSON.stringify(failure))).toEqual(failure)
  expect(failure.message.length).toBeLessThanOrEqual(65_536)
})

it('keeps the beginning of large data', () => {
  expect(messageOf({ error: 'Overloaded', log: 'x'.repeat(1_000_000), id: 7n })).toMatch(
    /^\{"error":"Overloaded","log":"xxx/,
  )
  expect(messageOf(Array(100_000).fill('Busy.'))).toMatch(/^\["Busy\.","Busy\."/)
})
