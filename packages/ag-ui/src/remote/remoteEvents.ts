import { readServerEvents } from '@interleave/connect/internal'
import { AgentError, type Json } from '@interleave/core'
import { isObject, messageOf, parseJson, readUpTo } from '@interleave/core/internal'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Remote {
  readonly name: string
  readonly url: URL
  readonly fetch: Fetch
  readonly headers: () => PromiseLike<Readonly<Record<string, string>>>
}

export type JsonObject = { readonly [key: string]: Json | undefined }
export type RemoteEvent = JsonObject & { readonly type: string }

/** The maximum characters of one event. */
const longest = 16_000_000

/** Posts the input of an AG-UI run, and yields its events: objects with a `type`, each of bounded size and depth. */
export async function* remoteEvents(
  { name, url, fetch, headers }: Remote,
  input: object,
  signal: AbortSignal,
): AsyncGenerator<RemoteEvent, void> {
  const request: RequestInit = {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { ...(await headers()), accept: 'text/event-stream', 'content-type': 'application/json' },
    // A redirect could carry a token to another host.
    redirect: 'manual',
    signal,
  }
  const response = await fetch(url.href, request).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new AgentError('remote_failed', `The AG-UI agent "${name}" cannot be reached: ${messageOf(cause)}.`, {
      cause,
    })
  })
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (!response.ok || type !== 'text/event-stream' || !response.body) throw await refusal(name, response, signal)
  for await (const { data } of readServerEvents(response.body, () => signal.throwIfAborted(), longest)) {
    const event = parsed(name, data)
    if (!isEvent(event)) throw malformed(name, 'something that is not an event')
    yield event
  }
}

const isEvent = (event: unknown): event is RemoteEvent => isObject(event) && typeof event.type === 'string'

function parsed(name: string, data: string): Json {
  try {
    return parseJson(data, { maxLength: longest, maxDepth: 60 })
  } catch (error) {
    throw malformed(name, `an event that cannot be read (${messageOf(error).replace(/\.$/, '')})`)
  }
}

async function refusal(name: string, response: Response, signal: AbortSignal): Promise<AgentError> {
  const { status, headers } = response
  const words = await readUpTo(2_000, response, signal).then(
    ({ text }) => text,
    () => '',
  )
  const what = response.ok ? `no event stream, but "${headers.get('content-type')}"` : refused(status, words.trim())
  return new AgentError('remote_failed', `The AG-UI agent "${name}" answered with ${what}.`, { status })
}

function refused(status: number, words: string): string {
  if (status === 0 || (status >= 300 && status < 400)) return 'a redirect. Give the `url` that it leads to'
  return words ? `the status ${status}: ${words.replace(/\.$/, '')}` : `the status ${status}`
}

export const malformed = (name: string, what: string): AgentError =>
  new AgentError('model_malformed', `The AG-UI agent "${name}" sent ${what}.`)
