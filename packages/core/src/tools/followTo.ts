import { AgentError } from '../error.ts'
import { checkTarget, type Targets } from './address.ts'

/** Makes a request: `fetch` of any platform, or of a library such as undici. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The parts of a `RequestInit` that are used here, in terms that every `fetch` accepts. */
interface FetchInit {
  readonly redirect: 'manual'
  readonly signal: AbortSignal
  readonly headers?: Record<string, string>
  readonly credentials?: 'omit'
  readonly referrerPolicy?: 'no-referrer'
}

/** The parts of a `Response` that are used here. */
export interface FetchResponse {
  readonly status: number
  readonly type: string
  readonly headers: { get(name: string): string | null }
  readonly body: ByteStream | null
}

/** Request headers by origin. */
export type HeadersByOrigin = Readonly<Record<string, Readonly<Record<string, string>>>>

interface Following extends Targets {
  readonly fetch: Fetch
  readonly headers: HeadersByOrigin
  readonly signal: AbortSignal
}

const mostRedirects = 3

/** Requests an address and follows its redirects. Each is validated, and gets the headers of its own origin. */
export async function followTo(address: string, { fetch, headers, signal, ...targets }: Following): Promise<Answer> {
  let url = await checkTarget(address, targets)
  for (let redirects = 0; ; redirects++) {
    signal.throwIfAborted()
    const own = Object.hasOwn(headers, url.origin) ? headers[url.origin] : undefined
    const response = await fetch(url.href, {
      ...quietly(),
      redirect: 'manual',
      signal,
      ...(own && { headers: { ...own } }),
    })
    const next = nextOf(response)
    if (next === undefined) return { url, response }
    void response.body?.cancel().catch(() => {})
    if (redirects === mostRedirects) throw refused(`It redirects more than ${mostRedirects} times.`)
    url = await checkTarget(next, targets, url)
  }
}

interface Answer {
  /** The final address, after redirects. */
  readonly url: URL
  readonly response: FetchResponse
}

function nextOf({ status, type, headers }: FetchResponse): string | undefined {
  // A browser follows redirects itself, or only says that there is one.
  if (type === 'opaqueredirect')
    throw refused('It redirects, and a browser does not tell where to. Ask for that address itself.')
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  return headers.get('location') ?? undefined
}

/** Returns options that send no credentials and no referrer. Some platforms support neither option and throw. */
function quietly(): Pick<FetchInit, 'credentials' | 'referrerPolicy'> {
  const known = typeof Request === 'undefined' ? {} : Request.prototype
  return {
    ...('credentials' in known && { credentials: 'omit' }),
    ...('referrerPolicy' in known && { referrerPolicy: 'no-referrer' }),
  }
}

const refused = (message: string): AgentError => new AgentError('not_allowed', message)

interface ReadText {
  readonly text: string
  /** True if the text is cut. */
  readonly isCut: boolean
}

/** A `ReadableStream` of bytes, of any platform. */
interface ByteStream {
  getReader(): ByteReader
  cancel(): Promise<unknown>
}

interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<unknown>
}

/** Reads the text of a response, up to this number of bytes, and does not wait for the rest. */
export async function readUpTo(
  maxBytes: number,
  { body }: { readonly body: ByteStream | null },
  signal: AbortSignal,
): Promise<ReadText> {
  if (!body) return { text: '', isCut: false }
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave)
  try {
    return await read(reader, maxBytes, signal)
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

async function read(reader: ByteReader, maxBytes: number, signal: AbortSignal): Promise<ReadText> {
  const decoder = new TextDecoder()
  let left = maxBytes
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done || !value) return { text: text + decoder.decode(), isCut: false }
    text += decoder.decode(value.subarray(0, left), { stream: true })
    if (value.byteLength > left) return { text, isCut: true }
    left -= value.byteLength
  }
}
