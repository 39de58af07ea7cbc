/** 32 random bytes, as a page writes them. They cannot be guessed. */
const code = /^Bearer ([A-Za-z0-9_-]{43})$/

/** Returns the caller, by the access code of its page. Runs are stored under its hash, which no reader can use. */
export async function principalOf({ headers }: Pick<Request, 'headers'>): Promise<string | undefined> {
  const [, given] = code.exec(headers.get('authorization') ?? '') ?? []
  if (given === undefined) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
