import { isPlainName, withoutSentence } from './hosts.ts'

interface FoundAddress {
  /** The indexes in the text. */
  readonly start: number
  readonly end: number
  /** The real host, if it is not written as the network reads it. */
  readonly host: string
  /** True if the address seems to lead elsewhere. */
  readonly deceives: boolean
}

/**
 * Finds addresses whose host is not what a reader sees: with lookalike letters, behind a name and `@`, or as numbers;
 * and those whose host has other letters than ASCII, which are not deceptive.
 */
export function namedAddresses(text: string): readonly FoundAddress[] {
  if (!/[@/\\]/.test(text)) return []
  return addressesIn(text).flatMap(({ start, written: whole, isWeb }) => {
    const { written, shown } = isWeb ? webHost(whole) : mailHost(whole)
    const host = isWeb || !isVersion(written) ? hostOf(written) : undefined
    if (host === undefined) return []
    const isPlain = !written.includes('\\')
    if (isPlain && isSame(shown, host)) return []
    const deceives = !isPlain || !host.includes('xn--') || !isPlainName(shown)
    return [{ start, end: start + written.length, host, deceives }]
  })
}

/** An address without the sentence around it, and the host that a reader takes it to have. */
interface Read {
  readonly written: string
  readonly shown: string
}

function webHost(written: string): Read {
  const before = /^(?:[^/\\:]*:)?[\\/]{0,2}/.exec(written)?.[0].length ?? 0
  const given = written.slice(before)
  const length = given.search(/[/?#]/)
  const shown = length < 0 ? withoutSentence(given) : given.slice(0, length)
  return {
    written: length < 0 ? written.slice(0, before + shown.length) : written,
    shown: shown.replace(/:\d+$/, ''),
  }
}

/** A mail name that begins with `www.` looks like a host. */
function mailHost(written: string): Read {
  const at = written.lastIndexOf('@') + 1
  const host = withoutSentence(written.slice(at))
  return {
    written: written.slice(0, at) + host,
    shown: /(?<![\p{L}\p{N}._-])www\./iu.test(written.slice(0, at)) ? written : host,
  }
}

/** Returns true for a package and its version, such as `react@19.3.1`. A name without a dot is taken for no site. */
const isVersion = (written: string): boolean => /^[\w-]+@\d{1,5}(?:\.\d{1,5}){0,2}$/.test(written)

/** A host in punycode may have been written with lookalike letters. */
const isSame = (shown: string, host: string): boolean => shown.toLowerCase() === host && !host.includes('xn--')

interface WrittenAddress {
  readonly start: number
  readonly written: string
  readonly isWeb: boolean
}

const longestWritten = 2_000

/** Returns the web and mail addresses in a text. Linear in its length. */
function addressesIn(text: string): readonly WrittenAddress[] {
  const found: WrittenAddress[] = []
  for (const { 0: word, index } of text.matchAll(/[^\s"'<>`]+/g)) {
    const web = webStart(word)
    for (const mail of word.slice(0, web).matchAll(/[^@/:,;()]+(@[^@/:,;()]+)?/g))
      if (mail[1]) found.push({ start: index + mail.index, written: mail[0].slice(0, longestWritten), isWeb: false })
    if (web < word.length)
      found.push({ start: index + web, written: word.slice(web, web + longestWritten), isWeb: true })
  }
  return found
}

/** Returns where a web address begins in a word, also without scheme or slashes. */
function webStart(word: string): number {
  const at = word.search(/:[\\/]{2}|\/\/|(?:https?|wss?|ftp):/i)
  if (at < 0) return word.length
  if (word[at] !== ':') return at
  const scheme = /[a-z][a-z\d+.-]{1,20}$/i.exec(word.slice(Math.max(0, at - 21), at))
  return scheme ? at - scheme[0].length : at + 1
}

const scheme = /^(https?|wss?|ftp):[\\/]*/i

/** Returns the host of an address, in punycode (`xn--…`) if it is not ASCII; undefined if it has none. */
export function hostOf(written: string): string | undefined {
  try {
    const url = new URL(withScheme(written), 'https://here.invalid')
    return /^(https?|wss?|ftp):$/.test(url.protocol) ? url.hostname : undefined
  } catch {
    return undefined
  }
}

/** Returns the address as an address bar reads it, whatever slashes it has. A mail address becomes that of its host. */
function withScheme(written: string): string {
  if (scheme.test(written)) return written.replace(scheme, '$1://')
  const at = /[/\\]/.test(written) ? -1 : written.lastIndexOf('@')
  return at < 0 ? written : `http://${written.slice(at + 1)}`
}

/** A link in foreign text that is safe to show. */
export interface ForeignLink {
  readonly href: string
  /** The host or the mail address, to show to the user. */
  readonly target: string
}

/** Validates a link in foreign text: an absolute web address without a login, or one plain mail address. */
export function foreignLink(address: string): ForeignLink | undefined {
  if (address.length > longestLink) return undefined
  const url = parsed(address)
  if (url?.protocol === 'mailto:') return mailLink(url)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb || url.username !== '' || url.password !== '' || /^https?:(?![\\/]{2})/i.test(address)) return undefined
  return { href: url.href, target: url.host }
}

const longestLink = 4_000

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
