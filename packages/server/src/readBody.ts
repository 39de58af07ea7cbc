import type { Json } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { parseJson } from '@interleave/core/internal'
import type { Described } from './described.ts'
import { readText } from './readText.ts'

/** The body of a request, as far as it is small enough, and as it has to be. */
export async function readBody<T>(request: Request, { shape }: Described, maxBytes: number): Promise<T> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new AgentError('request_invalid', 'Send JSON, with the content type application/json.', { status: 415 })
  }
  const body: Json = parseJson(await readText(request, maxBytes), { maxLength: maxBytes })
  const wrong = shape(body)
  if (wrong !== undefined) {
    throw new AgentError('request_invalid', wrong ? `The body has a wrong or missing "${wrong}".` : 'Send an object.')
  }
  return body as T
}
