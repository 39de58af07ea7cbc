import { expect, it } from 'vitest'
import type { Failure } from '../error.ts'
import { adviceOf } from './adviceOf.ts'

const failure = (changes: Partial<Failure>): Failure => ({
  code: 'model_failed',
  message: 'No.',
  retryable: false,
  ...changes,
})

it.each([
  [{ message: 'Mistral API key is missing.' }, /^Give the model an API key/],
  [{ message: 'Azure OpenAI resource name setting is missing.' }, /^Pass this setting/],
  [{ status: 401 }, /^Check the API key/],
  [{ status: 404 }, /^Check the name of the model and the address/],
  [{ status: 429, retryable: true }, /^Too many requests/],
  [{ status: 503, retryable: true }, /^The service has a problem/],
  [{ message: 'Failed to fetch' }, /CORS/],
  [{ message: 'NetworkError when attempting to fetch resource.' }, /CORS/],
  [{ message: 'Cannot connect to API: connect ECONNREFUSED 127.0.0.1:1' }, /^Check the network connection/],
  [{ message: 'Failed to parse URL from /api/responses' }, /^Give the provider a whole address/],
  [{ message: 'registry.ollama.ai/library/gemma3:1b does not support tools', status: 400 }, /textMode/],
  [
    { message: 'No endpoints found that support tool use. `gemma` does not support function calling', status: 404 },
    /textMode/,
  ],
  [{ code: 'journal_full' }, /^Free some storage/],
  [{ code: 'too_large', status: 413 }, /^Send less at once, or raise `bodyBytes`/],
] as const)('says what to do about %j', (changes, advice) => {
  expect(adviceOf(failure(changes)).developer).toMatch(advice)
})

it('adds nothing to a failure that says all there is', () => {
  expect(adviceOf({ code: 'guard_blocked', message: 'No cards, please.', retryable: false })).toEqual({
    user: 'No cards, please.',
    developer: undefined,
  })
  const long = adviceOf({ code: 'tool_failed', message: 'x'.repeat(10_000_000), retryable: true })
  expect(long.developer).toContain('Try again')
})
