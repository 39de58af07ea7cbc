import { AgentError } from '@interleave/core'
import { assertOption, type KnownOptions, messageOf, refuseUnknown } from '@interleave/core/internal'

/** Authorizes the requests of an MCP client. `oauth()` creates one with the official library. */
export interface McpAuth {
  /** Returns the token for the next request, if there is one. */
  token(): PromiseLike<string | undefined> | string | undefined
  /** Receives a response with status 401 or 403. Returns true if the request may be sent again with another token. */
  refuse(response: Response): PromiseLike<boolean>
}

interface Tokens {
  readonly access_token: string
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

export interface OAuthOptions<Provider extends OAuthProvider> {
  /** The URL of the MCP server. */
  url: string | URL
  provider: Provider
  /** Loads the library after the first refusal: `() => import('@modelcontextprotocol/client')`. */
  load: () => PromiseLike<OAuthLibrary<Provider>>
  /** Resolves with the code once the user has returned from the page that the provider opened. */
  code: () => PromiseLike<{ readonly code: string; readonly iss?: string | undefined }>
}

const oauthOptions: KnownOptions<OAuthOptions<OAuthProvider>> = {
  url: true,
  provider: 'an object with tokens()',
  load: 'a function',
  code: 'a function',
}

/**
 * Authorizes by OAuth, with the official library, which is loaded after the first refusal.
 *
 * @example
 * const auth = oauth({ url, provider, load: () => import('@modelcontextprotocol/client'), code: popupCode })
 */
export function oauth<Provider extends OAuthProvider>(options: OAuthOptions<Provider>): McpAuth {
  refuseUnknown('oauth()', options, oauthOptions)
  for (const name of ['url', 'provider', 'load', 'code'] as const)
    assertOption(options[name], `oauth() needs \`${name}\`.`)
  let renewing: Promise<boolean> | undefined
  let scope: string | undefined
  const renew = async (response: Response): Promise<boolean> => {
    const { provider, url: serverUrl } = options
    const library = await options.load()
    const wanted = library.extractWWWAuthenticateParams(response)
    const { resourceMetadataUrl } = wanted
    const current = (await provider.tokens())?.scope
    scope = response.status === 403 ? library.computeScopeUnion(scope, current, wanted.scope) : (wanted.scope ?? scope)
    if (response.status === 401) await provider.invalidateCredentials?.('discovery')
    const forceReauthorization = response.status === 403 && library.isStrictScopeSuperset(scope, current)
    const request = {
      serverUrl,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
    }
    if ((await library.auth(provider, { ...request, forceReauthorization })) === 'AUTHORIZED') return true
    const { code, iss } = await options.code()
    const done = await library.auth(provider, {
      ...request,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    })
    return done === 'AUTHORIZED'
  }
  return {
    token: async () => (await options.provider.tokens())?.access_token,
    refuse(response) {
      // Requests that are refused together wait for one consent.
      renewing ??= renew(response)
        .catch((error) => {
          throw authError(error, new URL(options.url))
        })
        .finally(() => {
          renewing = undefined
        })
      return renewing
    },
  }
}

/** Adds the host to an error of the library, and limits its text, which may contain an answer of the server. */
function authError(error: unknown, { host }: URL): AgentError {
  if (error instanceof AgentError) return error
  const message = `The authorization at the MCP server ${host} failed: ${messageOf(error).slice(0, mostCharacters)}`
  return new AgentError('remote_failed', message, { cause: error })
}
const mostCharacters = 500
