/**
 * Returns true if a page's origin is the request's own. The request's address alone cannot tell: behind a framework or
 * a proxy its host or scheme differs from what the browser shows.
 *
 * Uses `Sec-Fetch-Site`, which no page can set. On plain http it is missing, and the hosts are compared.
 * `X-Forwarded-Host` is safe: a foreign page cannot send it before a preflight allows it.
 */
export function isOwnOrigin(origin: string, { url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const own = new URL(url)
  const page = new URL(origin)
  const isSecure = own.protocol === 'https:' || forwarded(headers, 'x-forwarded-proto') === 'https'
  // A page that anybody on the way may have changed is not the page of an address that is safe.
  if (isSecure && page.protocol !== 'https:') return false
  return [own.host, headers.get('host'), forwarded(headers, 'x-forwarded-host')].some((host) => isHost(host, page))
}

/** Compares hosts; the scheme's default port is optional. */
function isHost(host: string | null | undefined, { protocol, host: wanted }: URL): boolean {
  if (!host || /[\s\\/?#@]/.test(host)) return false
  const own = `${protocol}//${host}`
  return URL.canParse(own) && new URL(own).host === wanted
}

/** Returns the first proxy's value, the one that browsers reach. */
const forwarded = (headers: Headers, name: string): string | undefined =>
  headers.get(name)?.split(',')[0]?.trim().toLowerCase()
