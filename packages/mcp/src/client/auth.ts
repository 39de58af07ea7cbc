import { AgentError } from '@interleave/core'
import { assertOption, checkOptions, DEV, messageOf } from '@interleave/core/internal'
import { authorize, NoAnswer } from './authorize.ts'
import type { OAuthLibrary, OAuthProvider } from './oauthLibrary.ts'

/** Authorizes the requests of an MCP client. `oauth()` creates one with the official library. */
export interface McpAuth {
  /** Returns the token for the next request, if there is one. */
  token(): PromiseLike<string | undefined> | string | undefined
  /**
   * Receives a response with status 401 or 403. Returns true if the request may be sent again with another token. Only the
   * time of `whileUserActs` does not count for the call.
   */
  refuse(response: Response, whileUserActs: WhileUserActs): PromiseLike<boolean>
}

/** Does what waits for a user, whose time does not count. */
export type WhileUserActs = <T>(work: () => PromiseLike<T>) => PromiseLike<T>

export interface OAuthOptions<Provider extends OAuthProvider> {
  /** The URL of the MCP server. */
  url: string | URL
  provider: Provider
  /** Loads the library after the first refusal: `() => import('@modelcontextprotocol/client')`. */
  load: () => PromiseLike<OAuthLibrary<Provider>>
  /** Resolves with the code once the user has returned from the page that the provider opened. */
  code: () => PromiseLike<{ readonly code: string; readonly iss?: string | undefined }>
}

/**
 * Authorizes by OAuth, with the official library, which is loaded after the first refusal.
 *
 * @example
 * const auth = oauth({ url, provider, load: () => import('@modelcontextprotocol/client'), code: popupCode })
 */
export function oauth<Provider extends OAuthProvider>(options: OAuthOptions<Provider>): McpAuth {
  checkOptions('oauth()', options, ['url', 'provider', 'load', 'code'])
  for (const name of ['url', 'provider', 'load', 'code'] as const)
    assertOption(options[name], DEV && `oauth() needs \`${name}\`.`)
  const waiting = new Waiting()
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
    const renewed = await authorize(library, provider, { ...request, forceReauthorization })
    if (renewed === 'AUTHORIZED') return true
    const { code, iss } = await waiting.whileUserActs(options.code)
    const granted = { ...request, authorizationCode: code, ...(iss !== undefined && { iss }) }
    return (await authorize(library, provider, granted)) === 'AUTHORIZED'
  }
  return {
    token: async () => (await options.provider.tokens())?.access_token,
    refuse(response, whileUserActs) {
      // Requests that are refused together wait for one consent.
      renewing ??= renew(response)
        .catch((error) => {
          throw authError(error, new URL(options.url))
        })
        .finally(() => {
          renewing = undefined
        })
      return waiting.until(renewing, whileUserActs)
    },
  }
}

/** The requests that wait for one renewal. While a user acts, the time of none of them counts. */
class Waiting {
  readonly #all = new Set<WhileUserActs>()
  #acting: PromiseLike<unknown> | undefined

  readonly whileUserActs: WhileUserActs = async (work) => {
    const acting = Promise.resolve(work())
    this.#acting = acting
    for (const each of this.#all) this.#stop(each, acting)
    try {
      return await acting
    } finally {
      this.#acting = undefined
    }
  }

  async until<T>(renewing: Promise<T>, whileUserActs: WhileUserActs): Promise<T> {
    this.#all.add(whileUserActs)
    if (this.#acting) this.#stop(whileUserActs, this.#acting)
    try {
      return await renewing
    } finally {
      this.#all.delete(whileUserActs)
    }
  }

  /** The renewal itself reports that a user failed to act. */
  #stop(whileUserActs: WhileUserActs, acting: PromiseLike<unknown>): void {
    whileUserActs(() => acting).then(undefined, () => {})
  }
}

/** Adds the host to an error of the library, and limits its text, which may contain an answer of the server. */
function authError(error: unknown, { host }: URL): AgentError {
  if (error instanceof AgentError) return error
  const retryable = error instanceof NoAnswer
  const message = `The authorization at the MCP server ${host} failed: ${messageOf(error).slice(0, mostCharacters)}`
  return new AgentError('remote_failed', message, { cause: error, retryable })
}
const mostCharacters = 500
