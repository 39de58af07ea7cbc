import { AgentError } from '../../error.ts'
import { checkTarget, type Targets } from './checkTarget.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>
/** What is sent along, by the origin that it is for. */
export type HeadersByOrigin = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Following extends Targets {
  readonly fetch: Fetch
  readonly headers: HeadersByOrigin
  readonly signal: AbortSignal
}

const mostRedirects = 3

/** Asks for an address, and for those that it redirects to, each looked at anew and with the headers of its own origin alone. */
export async function followTo(address: string, { fetch, headers, signal, ...targets }: Following): Promise<Answer> {
  let url = await checkTarget(address, targets)
  for (let redirects = 0; ; redirects++) {
    signal.throwIfAborted()
    const own = Object.hasOwn(headers, url.origin) ? headers[url.origin] : undefined
    const response = await fetch(url.href, { ...quietly(), redirect: 'manual', signal, ...(own && { headers: own }) })
    const next = nextOf(response)
    if (next === undefined) return { url, response }
    void response.body?.cancel().catch(() => {})
    if (redirects === mostRedirects) throw refused(`It redirects more than ${mostRedirects} times.`)
    url = await checkTarget(next, targets, url)
  }
}

export interface Answer {
  /** Where it came from in the end. */
  readonly url: URL
  readonly response: Response
}

function nextOf({ status, type, headers }: Response): string | undefined {
  // A browser follows redirects unseen, or says only that there is one.
  if (type === 'opaqueredirect')
    throw refused('It redirects, and a browser does not tell where to. Ask for that address itself.')
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  return headers.get('location') ?? undefined
}

/** Without what a browser has for the host and tells of the page. Places that have neither may refuse to be asked for it. */
function quietly(): RequestInit {
  const known = typeof Request === 'undefined' ? {} : Request.prototype
  return {
    ...('credentials' in known && { credentials: 'omit' }),
    ...('referrerPolicy' in known && { referrerPolicy: 'no-referrer' }),
  }
}

const refused = (message: string): AgentError => new AgentError('not_allowed', message)
