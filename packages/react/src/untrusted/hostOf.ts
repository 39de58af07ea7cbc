/** Addresses, also those without a scheme that a browser would go to all the same, and of mail. */
const address =
  /(?:\b[a-z][a-z\d+.-]{1,20}:[\\/]{2}|\/\/)[^\s"'<>`]{1,2000}|[^\s"'<>`@/:,;()]{1,64}@[^\s"'<>`@/:,;()]{1,253}/giu

export interface FoundAddress {
  /** Where it begins and ends in the text. */
  readonly start: number
  readonly end: number
  /** Where it really leads, if it is written so that it seems to lead elsewhere. */
  readonly host: string
}

/** Addresses whose host is not what a reader would take it for: of letters that look like others, behind a name and `@`, or as numbers. */
export function deceptiveAddresses(text: string): readonly FoundAddress[] {
  if (!/[@/\\]/.test(text)) return []
  return [...text.matchAll(address)].flatMap(({ 0: written, index }) => {
    const host = hostOf(written)
    return host === undefined || isWrittenOut(written, host)
      ? []
      : [{ start: index, end: index + written.length, host }]
  })
}

/** The host that an address leads to, in the letters of the network: `xn--…` where it is not plain. */
export function hostOf(written: string): string | undefined {
  const mail = /^[^/\\]*@([^/\\]*)$/.exec(written)?.[1]
  try {
    const url = new URL(mail === undefined ? written : `http://${mail}`, 'https://here.invalid')
    return /^(https?|wss?|ftp):$/.test(url.protocol) ? url.hostname : undefined
  } catch {
    return undefined
  }
}

/** Whether the host stands in the address as it is. A name in the letters of the network tells nobody what it looks like. */
function isWrittenOut(written: string, host: string): boolean {
  if (host.includes('xn--') || written.includes('\\')) return false
  const given =
    written
      .replace(/^(?:[^/]*\/\/|[^/]*@)/, '')
      .split(/[/?#]/)[0]
      ?.toLowerCase() ?? ''
  return given.replace(/:\d+$/, '') === host
}
