/** A foreign link as it may be shown. */
export interface ForeignLink {
  readonly href: string
  /** Where it leads, for a reader to judge: the host, or the address of mail. */
  readonly target: string
}

/**
 * Validates a link in foreign text: an absolute web address without a login, or one mail address without parameters,
 * which could prefill a message. Returns undefined for anything else, above all for links within the page.
 */
export function foreignLink(address: string): ForeignLink | undefined {
  if (address.length > longest) return undefined
  const url = parsed(address)
  if (url?.protocol === 'mailto:') return mailLink(url)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb || url.username !== '' || url.password !== '' || /^https?:(?![\\/]{2})/i.test(address)) return undefined
  return { href: url.href, target: url.host }
}

const longest = 4_000

function mailLink({ href, pathname, search, hash }: URL): ForeignLink | undefined {
  const isOne = /^[\w.!#$&*+/=?^{|}~-]+@[a-z\d.-]+$/i.test(pathname)
  return isOne && search === '' && hash === '' ? { href, target: pathname } : undefined
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}
