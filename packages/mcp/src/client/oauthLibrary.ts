interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly scope?: string | undefined
}

/** The part of an `OAuthClientProvider` of `@modelcontextprotocol/client` that is used here. */
export interface OAuthProvider {
  tokens(): PromiseLike<Tokens | undefined> | Tokens | undefined
  invalidateCredentials?(scope: 'discovery'): PromiseLike<void> | void
}

/** The part of `@modelcontextprotocol/client` that is used here. */
export interface OAuthLibrary<Provider> {
  auth(
    provider: Provider,
    options: {
      serverUrl: string | URL
      authorizationCode?: string
      iss?: string
      scope?: string
      resourceMetadataUrl?: URL
      forceReauthorization?: boolean
      fetchFn?: (url: string | URL, init?: RequestInit) => Promise<Response>
    },
  ): Promise<'AUTHORIZED' | 'REDIRECT'>
  extractWWWAuthenticateParams(response: Response): {
    readonly resourceMetadataUrl?: URL
    readonly scope?: string
    readonly error?: string
  }
  computeScopeUnion(...scopes: readonly (string | undefined)[]): string | undefined
  isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean
}
