import { APICallError, InvalidResponseDataError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, type Signal, tool } from '../index.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>
const usage: Finish['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const finish = (finishReason: Finish['finishReason']): Finish => ({ type: 'finish', finishReason, usage })
const word: LanguageModelV4StreamPart = { type: 'text-delta', id: '0', delta: 'Almost' }
const incomplete = { type: 'failed', error: { code: 'model_incomplete', retryable: true } }

/** Returns the rest of a run whose model streams these parts. */
function signalOf(...parts: LanguageModelV4StreamPart[]): Promise<Signal> {
  const erase = tool({ inputSchema: z.looseObject({}), execute: () => 'Erased.' })
  const backend = reasonAct({ think: { retries: 0 }, limits: { iterations: 1 } })
  return agent({ name: 'a', model: scriptedModel(parts), tools: { erase }, backend }).start('Go').settled
}

it.each<[string, LanguageModelV4StreamPart[]]>([
  ['says nothing of its end', []],
  ['is interrupted', [finish({ unified: 'interrupted', raw: undefined })]],
  ['ends for no reason that the provider told', [finish({ unified: 'other', raw: undefined })]],
  ['is not what was promised', [{ type: 'error', error: new InvalidResponseDataError({ data: undefined }) }]],
])('does not take for an answer what %s', async (_, parts) => {
  expect(await signalOf(word, ...parts)).toMatchObject(incomplete)
})

it('takes for an answer what ends for a reason of the provider', async () => {
  expect(await signalOf(word, finish({ unified: 'other', raw: 'pause_turn' }))).toMatchObject({ output: 'Almost' })
})

it('says that the connection broke off', async () => {
  const request = { url: 'https://example.com', requestBodyValues: {}, statusCode: 200, isRetryable: true }
  const error = new APICallError({ ...request, message: 'Failed to process successful response' })

  const signal = await signalOf(word, { type: 'error', error })

  expect(signal).toMatchObject({ error: { message: expect.stringContaining('connection'), retryable: true } })
})

const caught = { url: 'https://example.com', requestBodyValues: {}, message: 'Failed to process successful response' }

it.each<[string, Error, string]>([
  ['Chromium', new TypeError('Failed to fetch'), 'model_failed'],
  ['Chromium, in an answer', new TypeError('network error'), 'model_failed'],
  [
    'Chromium, as the AI SDK reports it',
    new APICallError({ ...caught, statusCode: 200, cause: new TypeError('network error') }),
    'model_incomplete',
  ],
  ['Firefox', new TypeError('NetworkError when attempting to fetch resource.'), 'model_failed'],
  ['Firefox, in an answer', new TypeError('Error in input stream'), 'model_failed'],
  ['Safari', new TypeError('Load failed'), 'model_failed'],
  ['Safari, in an answer', new TypeError('The network connection was lost.'), 'model_failed'],
  ['Node', new TypeError('fetch failed', { cause: new Error('other side closed') }), 'model_failed'],
  ['Node, in an answer', new TypeError('terminated'), 'model_failed'],
  ['Deno', new TypeError('error sending request for url (http://localhost/)'), 'model_failed'],
  ['workerd', new Error('Network connection lost.'), 'model_failed'],
  ['a wrapper', new Error('The gateway failed.', { cause: new TypeError('Failed to fetch') }), 'model_failed'],
])('retries a call whose connection is lost: %s', async (_, error, code) => {
  expect(await signalOf(word, { type: 'error', error })).toMatchObject({ error: { code, retryable: true } })
})

it.each([
  new APICallError({ ...caught, statusCode: 400, message: 'The image could not be loaded: fetch failed' }),
  new TypeError('Failed to fetch dynamically imported module: /model.js'),
  new TypeError('x is not a function'),
])('does not retry what would fail again: %s', async (error) => {
  expect(await signalOf(word, { type: 'error', error })).toMatchObject({ error: { retryable: false } })
})

/** A call without arguments, or one whose arguments never came. */
const emptyCall: LanguageModelV4StreamPart = { type: 'tool-call', toolCallId: 'c', toolName: 'erase', input: '{}' }
const untold = { unified: 'tool-calls', raw: undefined } as const

it('does not run a call without arguments of which the provider told neither reason nor tokens', async () => {
  expect(await signalOf(emptyCall, finish(untold))).toMatchObject(incomplete)
})

it.each([
  finish({ ...untold, raw: 'tool_calls' }),
  { ...finish(untold), usage: { ...usage, outputTokens: { ...usage.outputTokens, total: 5 } } },
])('runs a call without arguments of which the provider told either', async (told) => {
  expect(await signalOf(emptyCall, told)).toMatchObject({ type: 'limitReached' })
})

it('does not take for an answer what the provider gave up', async () => {
  const signal = await signalOf(word, finish({ unified: 'error', raw: 'MALFORMED_FUNCTION_CALL' }))

  expect(signal).toMatchObject({
    type: 'failed',
    error: { code: 'model_failed', retryable: true, message: expect.stringContaining('MALFORMED_FUNCTION_CALL') },
  })
})

it.each(['text/html', 'Text/HTML; charset=utf-8'])(
  'names the address of a model that answers with a page: %s',
  async (type) => {
    const stream = new ReadableStream<LanguageModelV4StreamPart>()
    const doStream = async () => ({ stream, response: { headers: { 'content-type': type } } })

    const signal = await agent({ name: 'a', model: { ...scriptedModel(), doStream } }).start('Go').settled

    expect(signal).toMatchObject({ error: { code: 'model_failed', message: expect.stringContaining('`baseURL`') } })
  },
)
