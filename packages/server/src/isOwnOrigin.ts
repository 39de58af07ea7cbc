/**
 * Whether a page of this origin is of the origin that the request is for. The address of the request alone cannot tell: behind a
 * framework or a proxy it has another host or scheme than the browser shows.
 *
 * `Sec-Fetch-Site` decides where the browser sends it, since no page can set it. It is missing on plain http, and then the hosts are
 * compared. `X-Forwarded-Host` may be: a page of elsewhere cannot send it before a preflight has let it.
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

/** The port of the scheme may be left out. */
function isHost(host: string | null | undefined, { protocol, host: wanted }: URL): boolean {
  if (!host || /[\s\\/?#@]/.test(host)) return false
  const own = `${protocol}//${host}`
  return URL.canParse(own) && new URL(own).host === wanted
}

/** What the first proxy, the one that browsers reach, has said. */
const forwarded = (headers: Headers, name: string): string | undefined =>
  headers.get(name)?.split(',')[0]?.trim().toLowerCase()
