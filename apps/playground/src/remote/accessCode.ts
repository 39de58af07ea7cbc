/** The secret by which the server knows the owner of runs. No address and no log may have it. */
export interface AccessCode {
  /** None as long as this browser had nothing to do with the server. */
  read(): string | undefined
  /** Makes one if there is none. */
  ensure(): string
  /** Goes on with that of another device. Whether it is one. */
  use(code: string): boolean
}

const pattern = /^[A-Za-z0-9_-]{43}$/

export function accessCode(storage: () => Pick<Storage, 'getItem' | 'setItem'>, key = 'access code'): AccessCode {
  // A browser may refuse storage. The code then lasts as long as the page.
  let known: string | undefined
  const read = (): string | undefined => {
    try {
      const kept = storage().getItem(key) ?? ''
      if (pattern.test(kept)) known = kept
    } catch {}
    return known
  }
  const keep = (code: string): string => {
    known = code
    try {
      storage().setItem(key, code)
    } catch {}
    return code
  }
  return {
    read,
    ensure: () => read() ?? keep(randomText(32)),
    use: (code) => pattern.test(code.trim()) && keep(code.trim()) !== '',
  }
}

/** So many random bytes, as letters that stand anywhere. */
export const randomText = (bytes: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
