/** Reasons why a vault fails. In each case nothing that was stored has changed. */
export type KeyVaultErrorCode =
  /** This browser or this page has no passkeys that can encrypt (WebAuthn with the PRF extension). */
  | 'unsupported'
  /** The user did not confirm the passkey, or there was no time left. */
  | 'cancelled'
  /** The stored keys cannot be decrypted with this passkey. */
  | 'wrong_passkey'
  /** The stored data is not a vault. */
  | 'damaged'
  /** The browser has no room, or does not let the page store anything. */
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
