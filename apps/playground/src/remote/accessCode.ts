/** The secret that identifies the owner of runs to the server. No address and no log may contain it. */
export interface AccessCode {
  /** Undefined if this browser has not used the server yet. */
  read(): string | undefined
  /** Creates one if there is none. */
  ensure(): string
  /** Uses the code of another device from now on. Returns true if it is valid. */
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

/** Returns this many random bytes as letters that are safe in URLs and headers. */
export const randomText = (bytes: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
