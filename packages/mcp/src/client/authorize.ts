import { pause, until } from '@interleave/connect/internal'
import { localHost } from '@interleave/core'
import { isObject, jsonIn, messageOf, readUpTo } from '@interleave/core/internal'
import type { OAuthLibrary, OAuthProvider } from './oauthLibrary.ts'

type AuthOptions<Provider> = Parameters<OAuthLibrary<Provider>['auth']>[1]

/** The error if an authorization server gives no answer, or none that means anything. The tokens may still be valid. */
export class NoAnswer extends Error {}

/** Milliseconds that a server has for one answer, and for all answers of an authorization. */
const answerMs = 10_000
const allMs = 45_000
const retryMs: readonly number[] = [500, 2_000]
const mostCharacters = 1_000_000

/**
 * Calls `auth()` of the official library within a time limit. The library asks the user again if a refresh fails, for
 * whatever reason. Here the user is asked only if the server itself has refused the refresh token.
 */
export async function authorize<Provider extends OAuthProvider>(
  library: OAuthLibrary<Provider>,
  provider: Provider,
  options: AuthOptions<Provider>,
): Promise<'AUTHORIZED' | 'REDIRECT'> {
  const isRefresh = (await provider.tokens())?.refresh_token !== undefined && !options.forceReauthorization
  const over = new AbortController()
  let failure: NoAnswer | undefined
  let isRefused = false
  const fetchFn = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const isRefreshing = String(init.body).includes('grant_type=refresh_token')
    try {
      const response = await answerOf(url, init, { retries: isRefreshing ? retryMs : [], signal: over.signal })
      const answer = isRefreshing ? await meaningOf(response) : isTemporary(response) ? 'none' : 'other'
      if (answer === 'refused') isRefused = true
      if (answer === 'none') failure = new NoAnswer(`${new URL(url).host} answered with HTTP ${response.status}.`)
      return response
    } catch (error) {
      failure = new NoAnswer(`${new URL(url).host} gave no answer: ${messageOf(error)}`, { cause: error })
      throw error
    }
  }
  const redirect = (ask: () => unknown): unknown => {
    if (over.signal.aborted || (isRefresh && failure && !isRefused)) throw failure ?? over.signal.reason
    // From now on, the user decides how long it takes.
    stopClock()
    return ask()
  }
  let stopClock = (): void => {}
  const tooLong = new Promise<never>((_, reject) => {
    stopClock = localHost.timer(allMs, () => {
      const error = failure ?? new NoAnswer(`The authorization server gave no answer within ${allMs} ms.`)
      reject(error)
      over.abort(error)
    })
  })
  try {
    return await Promise.race([library.auth(guarded(provider, redirect), { ...options, fetchFn }), tooLong])
  } catch (error) {
    // The library rejects with what a request for metadata rejected with.
    throw failure && error === failure.cause ? failure : error
  } finally {
    stopClock()
  }
}

/** Returns the provider, whose user is asked only through `redirect`. */
const guarded = <Provider extends object>(provider: Provider, redirect: (ask: () => unknown) => unknown): Provider =>
  new Proxy<Provider>(Object.create(null), {
    has: (_, name) => name in provider,
    get(_, name) {
      const member: unknown = Reflect.get(provider, name)
      if (typeof member !== 'function') return member
      const bound = (...given: unknown[]): unknown => Reflect.apply(member, provider, given)
      return name === 'redirectToAuthorization' ? (...given: unknown[]) => redirect(() => bound(...given)) : bound
    },
  })

/** Returns the meaning of an answer to a refresh. What is not of OAuth comes from a proxy, or from a portal. */
async function meaningOf(response: Response): Promise<'granted' | 'refused' | 'none'> {
  const answer: unknown = jsonIn(await response.clone().text())
  if (!isObject(answer) || isTemporary(response)) return 'none'
  if (typeof answer.access_token === 'string') return 'granted'
  return typeof answer.error === 'string' ? 'refused' : 'none'
}

interface Asking {
  /** The pauses before the next attempts, in milliseconds. */
  readonly retries: readonly number[]
  readonly signal: AbortSignal
}

/** Returns the whole answer of a server. Asks again if it gives none that means anything. */
async function answerOf(url: string | URL, init: RequestInit, { retries, signal }: Asking): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const ms = retries[attempt]
    try {
      const response = await until((own) => readWhole(url, { ...init, signal: own }), { ms: answerMs, signal })
      if (ms === undefined || !isTemporary(response)) return response
    } catch (error) {
      signal.throwIfAborted()
      if (ms === undefined) throw error
    }
    await pause(localHost, ms, signal)
    signal.throwIfAborted()
  }
}

const isTemporary = ({ status }: Response): boolean => status >= 500 || status === 408 || status === 429

/** A connection may break in the middle of an answer. */
async function readWhole(url: string | URL, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  const response = await fetch(url, init)
  const { text } = await readUpTo(mostCharacters, response, init.signal)
  const { status, statusText, headers } = response
  const hasBody = ![101, 204, 205, 304].includes(status)
  return new Response(hasBody ? text : null, { status, statusText, headers })
}
