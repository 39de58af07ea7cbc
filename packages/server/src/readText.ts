import { AgentError } from '@interleave/core'

/** The body of a request, as far as it is small enough. Of what is larger, no more than that is read: `too_large`. */
export async function readText(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
): Promise<string> {
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes)
  if (!body) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read().catch(brokenOff)
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

function brokenOff(cause: unknown): never {
  throw new AgentError('request_invalid', 'The body broke off. Send it again.', { cause, retryable: true })
}
