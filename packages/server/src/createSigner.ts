import { assertOption } from '@interleave/core/internal'

/** Signs texts with the first of some secrets, and verifies signatures of any of them. */
export interface Signer {
  sign(text: string): Promise<string>
  isSigned(text: string, signature: string): Promise<boolean>
}

export function createSigner(secret: string | readonly string[]): Signer {
  const secrets = [secret].flat().map((each) => (typeof each === 'string' ? bytesOf(each) : new Uint8Array()))
  assertOption(
    secrets.length > 0 && secrets.every(({ length }) => length >= 32),
    'createHandler({ secret }) needs a secret of at least 32 random bytes: `openssl rand -hex 32` makes one.',
  )
  const keys = secrets.map((each) => crypto.subtle.importKey('raw', each, algorithm, false, ['sign']))
  const [first] = keys as [Promise<CryptoKey>]
  const signWith = async (key: Promise<CryptoKey>, text: string): Promise<string> =>
    toBase64Url(await crypto.subtle.sign('HMAC', await key, bytesOf(text)))
  return {
    sign: (text) => signWith(first, text),
    async isSigned(text, signature) {
      let isSame = false
      for (const key of keys) if (isEqual(await signWith(key, text), signature)) isSame = true
      return isSame
    },
  }
}

/** Returns a digest that identifies a long text. */
export const digestOf = async (text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest('SHA-256', bytesOf(text)))

const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')

/** Compares two strings in constant time. */
function isEqual(right: string, given: string): boolean {
  let difference = right.length ^ given.length
  for (let i = 0; i < right.length; i++) difference |= right.charCodeAt(i) ^ given.charCodeAt(i)
  return difference === 0
}
