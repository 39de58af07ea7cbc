import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { listen } from '@interleave/test-kit/listen'

export interface TextServerOptions {
  /** The complete texts that the model would write, call by call. */
  readonly texts: readonly string[]
  /** True if the server supports the stop sequences of a request. */
  readonly stops: boolean
  /** Bytes per piece of the response. */
  readonly size: number
}

export interface TextServer {
  readonly baseURL: string
  readonly requests: readonly ChatRequest[]
  /** Answers whose connection the client closed before their end. */
  readonly broken: () => number
  close(): Promise<void>
}

export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly stop?: readonly string[]
  readonly tools?: unknown
  readonly tool_choice?: unknown
}

/** A server as small models run on: it speaks the protocol of OpenAI and only ever writes text. */
export async function startTextServer({ texts, stops, size }: TextServerOptions): Promise<TextServer> {
  const requests: ChatRequest[] = []
  let broken = 0
  const { url, close } = await listen(async (request, response) => {
    const body = (await json(request)) as ChatRequest
    const whole = texts[requests.length] ?? ''
    requests.push(body)
    const ends = stops ? (body.stop ?? []).map((stop) => whole.indexOf(stop)).filter((index) => index >= 0) : []
    const isWhole = await send(response, bodyOf(whole.slice(0, Math.min(...ends, whole.length))), size)
    if (!isWhole) broken++
  })
  return { baseURL: `${url}/v1`, requests, broken: () => broken, close }
}

/** Creates a body with about one event per token; the token counts come at the end, as from real servers. */
function bodyOf(text: string): Buffer {
  const tokens = text.match(/\s*\S{1,4}|\s+$/gu) ?? []
  const chunks = [
    ...tokens.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: tokens.length, total_tokens: 100 + tokens.length } },
  ]
  const events = chunks.map((chunk) => `data: ${JSON.stringify({ id: 'c', model: 'tiny', ...chunk })}\n\n`)
  return Buffer.from(`${events.join('')}data: [DONE]\n\n`)
}

/** Resolves with true if everything was sent. */
async function send(response: ServerResponse, body: Buffer, size: number): Promise<boolean> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < body.length; at += size) {
    if (response.destroyed) return false
    response.write(body.subarray(at, at + size))
    await setImmediate()
  }
  response.end()
  return true
}
