import { expect, it } from 'vitest'
import { toFailure } from './error.ts'

const refusal = (message: string, responseBody?: string) =>
  Object.assign(new Error(message), { statusCode: 400, isRetryable: false, responseBody })

it.each([
  ['{"message":"The input is too long."}'],
  ['{"error":"The input is too long."}'],
  ['{"error":{"message":"The input is too long."}}'],
  ['{"detail":"The input is too long."}'],
])('says what the server wrote: %s', (body) => {
  expect(toFailure(refusal('Bad Request', body), 'model_failed').message).toBe('Bad Request: The input is too long.')
})

it('does not say it twice', () => {
  const error = refusal('The input is too long.', '{"error":{"message":"The input is too long."}}')

  expect(toFailure(error, 'model_failed').message).toBe('The input is too long.')
})

it.each([undefined, '', 'upstream connect error', 'null', '[]', '{"error":null}', '{"message":5}'])(
  'keeps to the status where the body is %o',
  (body) => {
    expect(toFailure(refusal('Bad Gateway', body), 'model_failed').message).toBe('Bad Gateway')
  },
)
