import { AgentError } from '../error.ts'
import { type Json, parseJson } from '../json.ts'
import type { Described } from './described.ts'

/** The body of a request, as far as it is small enough, and as it has to be. */
export async function readBody<T>(request: Request, { shape }: Described, maxBytes: number): Promise<T> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new AgentError('request_invalid', 'Send JSON, with the content type application/json.', { status: 415 })
  }
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  const body: Json = parseJson(await readText(request, maxBytes), { maxLength: maxBytes })
  const wrong = shape(body)
  if (wrong !== undefined) {
    throw new AgentError('request_invalid', wrong ? `The body has a wrong or missing "${wrong}".` : 'Send an object.')
  }
  return body as T
}

async function readText({ body }: Request, maxBytes: number): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    text += decoder.decode(value, { stream: true })
  }
}

const tooLarge = (maxBytes: number): AgentError =>
  new AgentError('too_large', `A body has at most ${maxBytes} bytes. Send less at once.`)
