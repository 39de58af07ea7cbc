import { KeyVaultError } from './sealed.ts'

/** The parts of a browser that passkeys need. */
export interface PasskeySetting {
  readonly credentials: CredentialsContainer
  readonly crypto: Crypto
  /** The names that the browser shows the user: that of the app, and the purpose of the passkey. */
  readonly appName: string
  readonly userName: string
}

type Bytes = Uint8Array<ArrayBuffer>

/** A passkey that was just created or confirmed, and the secret that it computed from the salt. */
interface Confirmed {
  readonly credential: Bytes
  readonly secret: BufferSource
}

/**
 * Returns whether this page can have passkeys that encrypt. Some browsers report this only once a passkey is created.
 */
export async function canEncrypt(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined' || !globalThis.isSecureContext) return false
  const capabilities = await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined)
  return capabilities?.['extension:prf'] !== false
}

/** Creates a passkey. The browser asks the user. */
export async function createPasskey(salt: Bytes, setting: PasskeySetting): Promise<Confirmed> {
  const { credentials, crypto, appName, userName } = setting
  const made = await requestCredential(() =>
    credentials.create({
      publicKey: {
        rp: { name: appName },
        user: { id: random(crypto), name: userName, displayName: userName },
        challenge: random(crypto),
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const { prf } = made.getClientExtensionResults()
  const credential = new Uint8Array(made.rawId)
  // Some authenticators return no result on creation, but only on a later request.
  if (prf?.results) return { credential, secret: prf.results.first }
  if (prf?.enabled) return { credential, secret: await confirmPasskey(credential, salt, setting) }
  await withdraw(made)
  throw unsupported()
}

/** Asks for this passkey only. Returns the secret that it computes from the salt. */
export async function confirmPasskey(
  id: Bytes,
  salt: Bytes,
  { credentials, crypto }: Pick<PasskeySetting, 'credentials' | 'crypto'>,
): Promise<BufferSource> {
  const confirmed = await requestCredential(() =>
    credentials.get({
      publicKey: {
        challenge: random(crypto),
        allowCredentials: [{ type: 'public-key', id }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const { prf } = confirmed.getClientExtensionResults()
  if (!prf?.results) throw unsupported()
  return prf.results.first
}

const random = (crypto: Crypto): Bytes => crypto.getRandomValues(new Uint8Array(32))

async function requestCredential(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await request()
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    if (Object(error).name !== 'NotAllowedError' && Object(error).name !== 'AbortError')
      throw new KeyVaultError('unsupported', `The browser cannot use a passkey here: ${String(error)}`, error)
  }
  throw new KeyVaultError('cancelled', 'The passkey was not confirmed. Nothing has changed. Try again when you like.')
}

/** Withdraws a passkey that cannot encrypt: the browser may remove it from its list. */
async function withdraw({ id }: PublicKeyCredential): Promise<void> {
  const rpId = globalThis.location?.hostname
  if (typeof PublicKeyCredential === 'undefined' || !rpId) return
  await PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId: id }).catch(() => {})
}

export const unsupported = (): KeyVaultError =>
  new KeyVaultError(
    'unsupported',
    'This browser or its passkeys cannot encrypt (they lack the PRF extension of WebAuthn). Keep the keys in memory, or use another browser or passkey.',
  )
