import { AgentError, agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { call, newRun, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { answerProblem } from './problem.ts'

afterEach(() => void vi.restoreAllMocks())
/** Records what is written to the console. */
const collectErrors = () => vi.spyOn(console, 'error').mockImplementation(() => {})

it('reports an internal error to the operator, with its cause', async () => {
  const told = collectErrors()
  const journal = {
    ...memoryJournal(),
    list() {
      throw new TypeError('relation "runs" does not exist', { cause: new Error('at postgres://ada:hunter22@db') })
    },
  }
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], { journal })

  const response = await call(handler, 'runs')

  expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining('relation')])
  const [[words]] = told.mock.calls as [[string]]
  expect(words).toContain('Interleave: GET /api/v1/runs failed (journal_failed): AgentError: ')
  expect(words).toContain('TypeError: relation "runs" does not exist\n    at ')
  expect(words).toContain('Caused by: Error: at postgres://[redacted: login in an address 1]@db')
})

it('reports no error that the caller can fix, and anything thrown that is no error', async () => {
  const told = collectErrors()
  const endless = new Error('Round')
  endless.cause = endless

  answerProblem(new AgentError('too_many', 'Wait.'))
  answerProblem('lost')
  answerProblem(endless)

  expect(told.mock.calls.map(([words]) => String(words).slice(0, 58))).toEqual([
    'Interleave: a request failed (server_failed): lost',
    'Interleave: a request failed (server_failed): Error: Round',
  ])
})

it('answers with the status of the problem, and not with one that a model or another server had', async () => {
  collectErrors()
  const statusOf = (error: AgentError): number => answerProblem(error).status

  expect(statusOf(new AgentError('remote_failed', '', { status: 401 }))).toBe(500)
  expect(statusOf(new AgentError('model_failed', '', { status: 429 }))).toBe(500)
  expect(statusOf(new AgentError('server_failed', '', { status: 503 }))).toBe(503)
  expect(statusOf(new AgentError('request_invalid', '', { status: 415 }))).toBe(415)
})

it('takes a body that breaks off for no fault of the server', async () => {
  const told = collectErrors()
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })])
  const body = new ReadableStream({
    start(controller) {
      controller.error(new TypeError('terminated'))
    },
  })
  const headers = { authorization: 'ada', 'content-type': 'application/json' }

  const response = await handler(
    new Request(`https://edge.test/v1/${newRun()}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
  )

  expect([response.status, told.mock.calls]).toEqual([400, []])
})
