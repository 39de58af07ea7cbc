import { isObject, parseJson } from '@interleave/core/internal'

/** Reasons why a vault fails. In each case nothing that was stored has changed. */
export type KeyVaultErrorCode =
  /** This browser or this page has no passkeys that can encrypt (WebAuthn with the PRF extension). */
  | 'unsupported'
  /** The user did not confirm the passkey in time. */
  | 'cancelled'
  /** The stored keys cannot be decrypted with this passkey. */
  | 'wrong_passkey'
  /** The stored data is not a vault. */
  | 'damaged'
  /** The browser has no space left, or does not let the page store anything. */
  | 'storage_failed'
  | 'options_invalid'

/** An error of a vault. Its message says what to do, and never contains a key. */
export class KeyVaultError extends Error {
  override readonly name = 'KeyVaultError'
  readonly code: KeyVaultErrorCode

  constructor(code: KeyVaultErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Keys by their names, such as the names of providers. */
export type Keys = Readonly<Record<string, string>>

/** Keys as they are stored: encrypted with a secret that only the passkey can compute. */
export interface Sealed {
  readonly version: 1
  /** The passkey that opens it. */
  readonly credential: Uint8Array<ArrayBuffer>
  /** The input of the passkey's function. */
  readonly salt: Uint8Array<ArrayBuffer>
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: Uint8Array<ArrayBuffer>
}

/** Derives a key from the passkey's secret. Scripts can use it, but not read it. */
export async function keyFrom(
  secret: BufferSource,
  { salt }: Pick<Sealed, 'salt'>,
  crypto: Crypto,
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('interleave key vault 1')
  const derived = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, base, derived, false, [
    'encrypt',
    'decrypt',
  ])
}

/** Encrypts keys, each time with a new initialization vector: a repeated one would reveal them. */
export async function seal(
  keys: Keys,
  {
    key,
    crypto,
    ...passkey
  }: Pick<Sealed, 'credential' | 'salt'> & { readonly key: CryptoKey; readonly crypto: Crypto },
): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const text = new TextEncoder().encode(JSON.stringify(keys))
  // The stored data must not exceed the limit for reading: the cipher adds 16 bytes.
  if (text.length > mostBytes - 16) throw invalid(`The keys have more than ${mostBytes - 16} bytes. Remove some.`)
  const data = new Uint8Array(await crypto.subtle.encrypt(cipher(iv, passkey.credential), key, text))
  return { version: 1, ...passkey, iv, data }
}

export async function unseal({ iv, data, credential }: Sealed, key: CryptoKey, crypto: Crypto): Promise<Keys> {
  const text = await crypto.subtle.decrypt(cipher(iv, credential), key, data).catch((cause: unknown) => {
    throw new KeyVaultError(
      'wrong_passkey',
      'The stored keys cannot be decrypted with this passkey. Nothing was deleted. Use the passkey that they were saved with, or call forget() and enter them again.',
      cause,
    )
  })
  return checkKeys(parseJson(new TextDecoder().decode(text), { maxLength: mostBytes }))
}

const cipher = (iv: Uint8Array<ArrayBuffer>, additionalData: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData,
})

const mostKeys = 50
const mostName = 200
const mostKey = 5_000
const mostBytes = 300_000

/** Validates keys. The error messages do not contain them. */
export function checkKeys(given: unknown): Keys {
  if (!isObject(given)) throw invalid('The keys must be an object of strings, such as { openai: "sk-…" }.')
  const entries = Object.entries(given)
  if (entries.length > mostKeys)
    throw invalid(`There are ${entries.length} keys, and a vault holds at most ${mostKeys}.`)
  for (const [name, key] of entries) {
    if (name === '__proto__') throw invalid('A key cannot have the name "__proto__". Use another name.')
    if (name === '' || name.length > mostName) throw invalid(`The name of a key must have 1 to ${mostName} characters.`)
    if (typeof key !== 'string' || key === '' || key.length > mostKey)
      throw invalid(`The key of ${JSON.stringify(name)} must be a string of 1 to ${mostKey} characters.`)
  }
  return Object.fromEntries(entries) as Keys
}

const invalid = (message: string): KeyVaultError => new KeyVaultError('options_invalid', message)

/** Validates the stored data. Throws if it is damaged or of another version. */
export function checkSealed(found: unknown): Sealed {
  const { version, credential, salt, iv, data } = Object(found)
  const isWhole =
    version === 1 &&
    isBytes(credential, 1, 1_024) &&
    isBytes(salt, 32, 32) &&
    isBytes(iv, 12, 12) &&
    isBytes(data, 16, mostBytes)
  if (isWhole) return { version, credential, salt, iv, data }
  throw new KeyVaultError(
    'damaged',
    'The stored keys cannot be read: they are damaged, or of a newer version of this page. Reload the page, or call forget() and enter them again.',
  )
}

const isBytes = (value: unknown, least: number, most: number): value is Uint8Array<ArrayBuffer> =>
  value instanceof Uint8Array && value.length >= least && value.length <= most
