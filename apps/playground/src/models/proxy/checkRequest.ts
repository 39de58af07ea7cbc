import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../safety/isLoopback.ts'

/** The provider hosts that may be reached besides this machine itself. */
const clouds = ['api.openai.com', 'api.anthropic.com', 'generativelanguage.googleapis.com']

export type Checked = { readonly target: URL } | { readonly refusal: string }

/** Checks that a request comes from the page itself, and where it may go. */
export function checkRequest({
  method,
  headers,
  url = '/',
}: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): Checked {
  if (method !== 'GET' && method !== 'POST') return { refusal: `The proxy forwards GET and POST, not ${method}.` }
  if (!isLoopback(headers.host ?? '')) {
    return { refusal: 'The proxy only answers on localhost. Open the page by its localhost address.' }
  }
  if (!isFromPage(headers)) return { refusal: 'The proxy only answers the page that it is served with.' }
  const named = headers['x-llm-target']
  if (typeof named !== 'string') return { refusal: 'The header x-llm-target has to name the server to ask.' }
  return checkTarget(named, { url, own: headers.host ?? '' })
}

/** A browser says where a request comes from; a request that does not say comes from no page. */
function isFromPage({ host, origin, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined) return site === 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === host
}

function checkTarget(named: string, { url, own }: { url: string; own: string }): Checked {
  if (!URL.canParse(named)) return { refusal: `"${named}" is no address. Use one such as http://127.0.0.1:11434/v1.` }
  const target = new URL(named)
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    return { refusal: 'The proxy only speaks http and https.' }
  if (target.username !== '' || target.password !== '') {
    return { refusal: 'Leave user names and passwords out of the address. Give the key in its own field.' }
  }
  if (target.host === own) return { refusal: 'The address is that of the proxy itself.' }
  const isCloud = target.protocol === 'https:' && target.port === '' && clouds.includes(target.hostname)
  if (!isCloud && !isLoopback(target.hostname)) {
    return { refusal: `The proxy does not reach ${target.hostname}: only this machine and ${clouds.join(', ')}.` }
  }
  const [path = '/', query] = url.split('?', 2)
  target.pathname = `${target.pathname.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`
  target.search = query === undefined ? '' : `?${query}`
  return { target }
}
