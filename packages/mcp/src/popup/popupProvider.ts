import { AgentError } from '@interleave/core'
import { jsonIn, linkAddress } from '@interleave/core/internal'
import { data, listOf, maybe, shapeOf, text } from '@interleave/core/shapes'
import type { JsonObject } from '../client/rpc.ts'
import { takeConsent } from './consentLock.ts'

/** The storage of tokens: `sessionStorage`, `localStorage`, or your own. */
export interface OAuthStore {
  getItem(key: string): PromiseLike<string | null> | string | null
  setItem(key: string, value: string): PromiseLike<void> | void
}

export function memoryStore(): OAuthStore {
  const values = new Map<string, string>()
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) }
}

/** The stored data of one server. */
interface Stored {
  readonly client?: JsonObject
  readonly tokens?: { readonly access_token: string; readonly scope?: string }
  readonly discovery?: JsonObject
  /** The verifiers of started consents, by their `state`. A reloaded page can finish an earlier one. */
  readonly begun?: readonly (readonly [state: string, verifier: string])[]
}

const stored = shapeOf({
  client: maybe(data),
  tokens: maybe(shapeOf({ access_token: text, scope: maybe(text) })),
  discovery: maybe(data),
  begun: maybe(listOf(listOf(text))),
})
const mostBegun = 4

interface ProviderOptions {
  readonly key: string
  readonly store: OAuthStore
  readonly redirectUrl: string
  readonly clientName: string
  readonly clientMetadataUrl: string | undefined
  readonly newId: () => string
  /** Receives the address of the page on which the user consents. */
  readonly onPage: (address: string) => void
}

/** An `OAuthClientProvider` of `@modelcontextprotocol/client` over a store. */
export class PopupProvider {
  readonly redirectUrl: string
  readonly clientMetadata: JsonObject
  declare readonly clientMetadataUrl?: string
  readonly #options: ProviderOptions
  #state = ''
  /** The consents that this page has locked. */
  readonly #taken = new Set<string>()
  /** The consent whose code is being exchanged. */
  #answered: string | undefined
  /** The tokens that were read last. */
  #read: Stored['tokens']

  constructor(options: ProviderOptions) {
    this.#options = options
    this.redirectUrl = options.redirectUrl
    this.clientMetadata = {
      client_name: options.clientName,
      redirect_uris: [options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl
  }

  async #stored(): Promise<Stored> {
    const found = jsonIn((await this.#options.store.getItem(this.#options.key)) ?? '')
    return stored(found) === undefined ? (found as Stored) : {}
  }

  async #write(change: { readonly [Name in keyof Stored]: Stored[Name] | undefined }): Promise<void> {
    await this.#options.store.setItem(this.#options.key, JSON.stringify({ ...(await this.#stored()), ...change }))
  }

  /** Locks a consent for this page. Resolves with true if this page, or the same one before a reload, started it. */
  async take(state: string): Promise<boolean> {
    const { begun = [] } = await this.#stored()
    if (!begun.some(([each]) => each === state)) return false
    if (!this.#taken.has(state) && (await takeConsent(state))) this.#taken.add(state)
    return this.#taken.has(state)
  }

  /** Selects the consent that the next code belongs to. */
  answer(state: string): void {
    this.#answered = state
  }

  state(): string {
    this.#state = this.#options.newId()
    this.#answered = undefined
    return this.#state
  }

  async saveCodeVerifier(verifier: string): Promise<void> {
    const { begun = [] } = await this.#stored()
    await this.#write({ begun: [...begun, [this.#state, verifier] as const].slice(-mostBegun) })
    await this.take(this.#state)
  }

  async codeVerifier(): Promise<string> {
    const { begun = [] } = await this.#stored()
    const wanted = this.#answered ?? this.#state
    const [, verifier = ''] = begun.find(([state]) => state === wanted) ?? []
    return verifier
  }

  redirectToAuthorization(page: URL): void {
    // The server chooses the address that this page opens.
    const address = linkAddress(page.href)
    if (!address) throw new AgentError('remote_failed', 'The page for consent has an address that is not safe to open.')
    this.#options.onPage(address.href)
  }

  clientInformation = async (): Promise<Stored['client']> => (await this.#stored()).client
  saveClientInformation = (client: JsonObject): Promise<void> => this.#write({ client })
  tokens = async (): Promise<Stored['tokens']> => {
    this.#read = (await this.#stored()).tokens
    return this.#read
  }
  /** Stores the tokens. A code works once, so its verifier is no longer needed. Other tabs may need theirs. */
  saveTokens = async (tokens: Stored['tokens']): Promise<void> => {
    const { begun = [] } = await this.#stored()
    await this.#write({ tokens, begun: begun.filter(([state]) => state !== this.#answered) })
  }
  discoveryState = async (): Promise<Stored['discovery']> => (await this.#stored()).discovery
  saveDiscoveryState = (discovery: JsonObject): Promise<void> => this.#write({ discovery })

  /** Returns true if another tab has stored tokens since they were read here. */
  async isRenewed(): Promise<boolean> {
    const { tokens } = await this.#stored()
    return tokens !== undefined && tokens.access_token !== this.#read?.access_token
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const isAll = scope === 'all'
    // Another tab may have replaced the refused tokens meanwhile.
    const { tokens } = await this.#stored()
    if (scope === 'tokens' && tokens?.access_token !== this.#read?.access_token) return
    await this.#write({
      ...((isAll || scope === 'discovery') && { discovery: undefined }),
      ...((isAll || scope === 'tokens') && { tokens: undefined }),
      ...((isAll || scope === 'client') && { client: undefined }),
      ...((isAll || scope === 'verifier') && { begun: undefined }),
    })
  }
}
