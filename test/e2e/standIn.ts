import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '@interleave/test-kit/listen'
import type { Page } from 'playwright-core'

/** One response of a model: its text, thoughts and calls, or the error of its server. */
export interface StandInTurn {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  readonly error?: string
  /** The connection breaks after the text. */
  readonly isCutOff?: boolean
}

export interface StandIn {
  /** The address that ends in `/v1`. */
  readonly url: string
  /** The headers of each request, as text. */
  readonly received: readonly string[]
  close(): Promise<void>
}

/** A model server that says what a test wants, in the protocol of OpenAI. The last turn is said again and again. */
export async function standIn(turns: readonly StandInTurn[]): Promise<StandIn> {
  const received: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    received.push(JSON.stringify(request.headers))
    say(response, turns[Math.min(received.length, turns.length) - 1] ?? {})
  }
  const { url, close } = await listen((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  return { url: `${url}/v1`, received, close }
}

function say(response: ServerResponse, { text, reasoning, calls = [], error, isCutOff = false }: StandInTurn): void {
  if (error !== undefined) {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: error, type: 'invalid_request_error' } }))
    return
  }
  const toolCalls = calls.map(({ name, input }, index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const deltas = [
    ...(reasoning ? [{ reasoning_content: reasoning }] : []),
    ...(text?.match(/[\s\S]{1,400}/g) ?? []).map((content) => ({ content })),
    ...(toolCalls.length > 0 ? [{ tool_calls: toolCalls }] : []),
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const delta of deltas) send(response, { delta, finish_reason: null })
  if (isCutOff) return void setTimeout(() => response.destroy(), 100)
  send(response, { delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' })
  response.end('data: [DONE]\n\n')
}

function send(response: ServerResponse, choice: object): void {
  const chunk = {
    id: '1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'stand-in',
    choices: [{ index: 0, ...choice }],
  }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

interface StandInUse {
  readonly url: string
  readonly modelId?: string
  readonly key?: string
  /** The key is stored with a passkey. */
  readonly isRemembered?: boolean
}

/** Makes the page ask this server from now on. */
export async function useStandIn(
  page: Page,
  { url, modelId = 'stand-in', key, isRemembered }: StandInUse,
): Promise<void> {
  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: /OpenAI-compatible/ }).check()
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Model', { exact: true }).fill(modelId)
  if (key) await page.getByLabel('Key, if the server wants one').fill(key)
  if (isRemembered) await page.getByRole('checkbox', { name: /^Remember with a passkey/ }).check()
  await page.getByRole('button', { name: 'Use this model' }).click()
}
