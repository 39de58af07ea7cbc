import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client'

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
}

/** Creates a provider of the official library that stores everything in memory, and consents by itself. */
export function headlessProvider({ client_id, client_secret }: Context, scenario: string) {
  const redirectUrl = 'http://localhost:3000/callback'
  let information: OAuthClientInformationMixed | undefined = client_id
    ? { client_id, ...(client_secret && { client_secret }) }
    : undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  let page: URL | undefined
  let discovery: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'interleave', redirect_uris: [redirectUrl] },
    ...(scenario !== 'auth/pre-registration' && {
      clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    }),
    clientInformation: () => information,
    saveClientInformation(given) {
      information = given
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      page = url
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovery,
    saveDiscoveryState(given) {
      discovery = given
    },
    invalidateCredentials(scope) {
      if (scope === 'discovery' || scope === 'all') discovery = undefined
      if (scope === 'tokens' || scope === 'all') tokens = undefined
      if (scope === 'client' || scope === 'all') information = undefined
    },
    /** Opens the page that the library wants to open, and reads the code from its redirect. */
    async code() {
      const response = await fetch(page ?? '', { redirect: 'manual' })
      const found = new URL(response.headers.get('location') ?? '').searchParams
      return { code: found.get('code') ?? '', iss: found.get('iss') ?? undefined }
    },
  } satisfies OAuthClientProvider & { code(): unknown }
  return provider
}
