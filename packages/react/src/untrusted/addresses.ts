interface FoundAddress {
  /** The indexes in the text. */
  readonly start: number
  readonly end: number
  /** The real host, if the address is written so that it seems to lead elsewhere. */
  readonly host: string
}

/** Finds addresses whose host misleads a reader: with lookalike letters, behind a name and `@`, or as numbers. */
export function deceptiveAddresses(text: string): readonly FoundAddress[] {
  if (!/[@/\\]/.test(text)) return []
  return addressesIn(text).flatMap(({ start, written, isWeb }) => {
    const host = hostOf(written)
    const isPlain = host === undefined || (isWeb ? isWebPlain(written, host) : isMailPlain(written, host))
    return isPlain ? [] : [{ start, end: start + written.length, host }]
  })
}

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

/** Returns the host of an address, in punycode (`xn--…`) if it is not ASCII; undefined if it has none. */
export function hostOf(written: string): string | undefined {
  const at = /[/\\]/.test(written) ? -1 : written.lastIndexOf('@')
  try {
    const url = new URL(at < 0 ? written : `http://${written.slice(at + 1)}`, 'https://here.invalid')
    return /^(https?|wss?|ftp):$/.test(url.protocol) ? url.hostname : undefined
  } catch {
    return undefined
  }
}

/** Returns true if the address shows its real host. A host in punycode may have been written with lookalike letters. */
function isWebPlain(written: string, host: string): boolean {
  const [given = ''] = written.replace(/^(?:[^/:]*:)?\/{0,2}/, '').split(/[/?#]/)
  return isClear(written, host) && given.toLowerCase().replace(/:\d+$/, '') === host
}

/** A mail name that begins with `www.` looks like a host. */
const isMailPlain = (written: string, host: string): boolean =>
  isClear(written, host) &&
  !/^www\./i.test(written) &&
  written.slice(written.lastIndexOf('@') + 1).toLowerCase() === host

const isClear = (written: string, host: string): boolean => !host.includes('xn--') && !written.includes('\\')

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
