/** 32 random bytes, as a page writes them: nobody comes upon one by guessing. */
const code = /^Bearer ([A-Za-z0-9_-]{43})$/

/**
 * Who asks. A page makes itself an access code, and whoever has it is the same person. Runs are kept under its hash, so that
 * who reads the journal does not learn it.
 */
export async function principalOf({ headers }: Pick<Request, 'headers'>): Promise<string | undefined> {
  const [, given] = code.exec(headers.get('authorization') ?? '') ?? []
  if (given === undefined) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
