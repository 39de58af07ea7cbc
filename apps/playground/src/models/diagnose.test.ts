import { expect, it } from 'vitest'
import type { CloudConnection, Connection } from './connections.ts'
import { secret } from './connections.ts'
import { diagnose } from './diagnose.ts'
import type { Problem } from './problem.ts'

const ollama: Connection = { type: 'server', url: 'http://127.0.0.1:11434/v1', modelId: 'qwen3' }
const cloud = (type: CloudConnection['type'], route: CloudConnection['route'] = 'direct'): CloudConnection => ({
  type,
  modelId: 'm',
  key: secret('k'),
  route,
})

const errors: readonly [Problem, Connection, unknown][] = [
  [
    'key',
    cloud('anthropic'),
    { statusCode: 401, responseBody: '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}' },
  ],
  ['key', cloud('google'), { statusCode: 400, message: 'API key not valid. Please pass a valid API key.' }],
  ['key', cloud('openai', 'proxy'), { statusCode: 403, message: 'Forbidden' }],
  ['origin', cloud('anthropic'), { status: 403, message: 'CORS requests are not allowed for this Organization' }],
  ['origin', ollama, { status: 403, message: 'Forbidden' }],
  ['model', cloud('google'), { statusCode: 404, message: 'models/gemini-x is not found for API version v1beta' }],
  [
    'model',
    cloud('openai'),
    { statusCode: 404, message: 'The model `gpt-x` does not exist or you do not have access to it.' },
  ],
  ['model', ollama, { statusCode: 404, message: 'model "qwen3" not found, try pulling it first' }],
  [
    'size',
    ollama,
    { statusCode: 400, message: 'The total length of all messages is too long.', code: 'too_many_prompt_tokens' },
  ],
  ['key', cloud('openai'), { statusCode: 403, message: 'The security token included in the request is invalid.' }],
  ['quota', cloud('google'), { statusCode: 429, message: 'You exceeded your current quota, please check your plan.' }],
  ['quota', cloud('openai'), { name: 'AI_RetryError', lastError: { statusCode: 429, message: 'Slow down' } }],
  ['tools', ollama, { statusCode: 400, message: 'library/gemma does not support tools' }],
  ['tools', ollama, { statusCode: 500, message: 'tools param requires --jinja flag' }],
  ['timeout', ollama, { code: 'model_idle', message: 'The model sent nothing for 120000 ms.' }],
  ['timeout', ollama, new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
  ['unreachable', ollama, { status: 502, message: 'The proxy cannot reach http://127.0.0.1:11434 (ECONNREFUSED).' }],
  ['unreachable', cloud('openai'), new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })],
  ['network', cloud('openai'), new TypeError('Failed to fetch')],
  ['network', ollama, new TypeError('NetworkError when attempting to fetch resource.')],
  ['format', ollama, { code: 'model_incomplete', message: 'The model stopped in the middle of its answer.' }],
  ['server', cloud('openai'), { statusCode: 503, message: 'upstream connect error' }],
  ['address', ollama, { statusCode: 404, message: 'Not Found' }],
  ['unknown', ollama, undefined],
  ['unknown', ollama, 'Strange.'],
]
it.each(errors)('sees the problem "%s"', (problem, connection, error) => {
  const diagnosis = diagnose(error, connection)

  expect(diagnosis.problem).toBe(problem)
  expect(diagnosis.steps.length).toBeGreaterThan(0)
  expect(`${diagnosis.title} ${diagnosis.explanation}`).not.toContain('Failed to fetch')
})

it('names the commands of the server that the address is of', () => {
  const origin = { statusCode: 403, message: '' }
  const lmStudio: Connection = { type: 'server', url: 'http://127.0.0.1:1234/v1', modelId: 'm' }

  expect(diagnose(origin, ollama).steps[0]).toContain('OLLAMA_ORIGINS')
  expect(diagnose(origin, lmStudio).steps[0]).toContain('lms server start --cors')
})

it("gives the server's own words as the detail", () => {
  expect(diagnose({ statusCode: 400, message: 'Too many bananas.' }, ollama).detail).toBe('Too many bananas.')
})

it('says that the demo planner has nothing to reach', () => {
  expect(diagnose(new Error('x'), { type: 'demo' }).title).toBe('The demo planner gave up')
})
