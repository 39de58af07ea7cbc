/** The time at which a fake authenticator computes: when a passkey is made, only when it is asked, or never. */
export type FakePrf = 'at once' | 'when asked' | 'never'

export interface FakeAuthenticator extends CredentialsContainer {
  /** The number of times that it asked the user. */
  asked: number
  /** The user says no. */
  refuses: boolean
  /** True if it answers with another passkey's secret. */
  isAnother: boolean
}

/** Creates passkeys without a device: an HMAC of the salt, like the PRF extension. */
export function fakeAuthenticator(prf: FakePrf = 'when asked'): FakeAuthenticator {
  const secrets = new Map<string, CryptoKey>()
  const compute = async (id: string, salt: BufferSource): Promise<ArrayBuffer> => {
    const key = fake.isAnother ? await newSecret() : secrets.get(id)
    if (!key) throw new DOMException('Unknown.', 'NotAllowedError')
    return crypto.subtle.sign('HMAC', key, salt)
  }
  const confirm = (): void => {
    fake.asked++
    if (fake.refuses) throw new DOMException('Not allowed.', 'NotAllowedError')
  }
  const fake: FakeAuthenticator = {
    asked: 0,
    refuses: false,
    isAnother: false,
    async create({ publicKey } = {}) {
      confirm()
      const rawId = crypto.getRandomValues(new Uint8Array(16))
      secrets.set(rawId.join(), await newSecret())
      const first = saltOf(publicKey?.extensions)
      const results = prf === 'at once' && first ? { results: { first: await compute(rawId.join(), first) } } : {}
      return credential(rawId, prf === 'never' ? {} : { prf: { enabled: true, ...results } })
    },
    async get({ publicKey } = {}) {
      confirm()
      const rawId = new Uint8Array(publicKey?.allowCredentials?.[0]?.id as ArrayBuffer)
      const first = saltOf(publicKey?.extensions)
      return credential(rawId, first ? { prf: { results: { first: await compute(rawId.join(), first) } } } : {})
    },
    preventSilentAccess: async () => {},
    store: async () => {},
  }
  return fake
}

const newSecret = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

const saltOf = (extensions: AuthenticationExtensionsClientInputs | undefined): BufferSource | undefined =>
  extensions?.prf?.eval?.first

function credential(rawId: Uint8Array, results: AuthenticationExtensionsClientOutputs): Credential {
  const made = { id: rawId.join(), type: 'public-key', rawId: rawId.buffer, getClientExtensionResults: () => results }
  return made
}
