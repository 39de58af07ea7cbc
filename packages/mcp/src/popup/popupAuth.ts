import { until } from '@interleave/connect/internal'
import { AgentError, type Host, localHost } from '@interleave/core'
import { assertOption, checkOptions, DEV, messageOf } from '@interleave/core/internal'
import { type McpAuth, oauth, type WhileUserActs } from '../client/auth.ts'
import type { OAuthLibrary } from '../client/oauthLibrary.ts'
import { oneAtATime } from './consentLock.ts'
import { type AppWindow, type Popup, type PopupAnswer, receiveAnswers } from './popupMessages.ts'
import { memoryStore, type OAuthStore, PopupProvider } from './popupProvider.ts'

declare const window: AppWindow

/**
 * A state that the app shows. `needed`: a button that calls `open()`. `blocked`: the browser blocked the window; show
 * `page` as a link. `closed`: the window was closed, or is out of reach; the answer may still arrive. After `denied`,
 * `failed` and `expired` the call has failed.
 */
export type PopupState =
  | { readonly type: 'idle' }
  | {
      readonly type: 'needed' | 'open' | 'blocked' | 'closed'
      /** The page on which the user consents, and its host. */
      readonly page: string
      readonly host: string
    }
  | { readonly type: 'denied'; readonly host: string; readonly error: string; readonly description?: string }
  /** The user consented, but the answer led to no token. */
  | { readonly type: 'failed'; readonly host: string; readonly error: string }
  | { readonly type: 'expired'; readonly host: string }

export interface PopupOptions {
  /** The URL of the MCP server. */
  url: string | URL
  /** A page of the app that calls `finishPopup()`. */
  redirectUrl: string | URL
  /** Loads the official library after the first refusal: `() => import('@modelcontextprotocol/client')`. */
  load: () => PromiseLike<OAuthLibrary<never>>
  /** The address of the document that describes the app. Without it, the app is registered with the server. */
  clientMetadataUrl?: string
  /** The name that the user sees. By default, the host of `redirectUrl`. */
  clientName?: string
  /** Stores tokens. By default they are in memory, and the user consents again after a reload. */
  store?: OAuthStore
  /** Milliseconds in which the user must consent, after which the call fails; ten minutes by default. */
  timeoutMs?: number
  host?: Pick<Host, 'timer' | 'newId'>
}

const idle: PopupState = { type: 'idle' }

/**
 * Authorizes by OAuth in a window that the user opens with a click.
 *
 * @example
 * const auth = popupAuth({ url, redirectUrl, load: () => import('@modelcontextprotocol/client') })
 * const client = mcpClient({ url, auth })
 */
export function popupAuth(options: PopupOptions): PopupAuth {
  checkOptions('popupAuth()', options, [
    'url',
    'redirectUrl',
    'load',
    'clientMetadataUrl',
    'clientName',
    'store',
    'timeoutMs',
    'host',
  ])
  for (const name of ['url', 'redirectUrl'] as const)
    assertOption(
      URL.canParse(String(options[name])),
      DEV && `The \`${name}\` of popupAuth() is "${options[name]}". Give the whole address.`,
    )
  const { origin } = new URL(options.redirectUrl)
  assertOption(
    typeof location !== 'object' || location.origin === origin,
    DEV && `The \`redirectUrl\` of popupAuth() is at ${origin}. Give a page of this origin: answers reach no other.`,
  )
  return new PopupAuth(options)
}

/** The authorization of one MCP server, and the actions that it needs from the user. */
export class PopupAuth implements McpAuth {
  readonly #auth: McpAuth
  readonly #provider: PopupProvider
  readonly #timeoutMs: number
  readonly #host: Pick<Host, 'timer' | 'newId'>
  readonly #listeners = new Set<() => void>()
  #state: PopupState = idle
  #page: { readonly page: string; readonly host: string } = { page: '', host: '' }
  #isWaiting = false
  #stopWatching = (): void => {}

  constructor(options: PopupOptions) {
    const { url, load, timeoutMs = 600_000, host = localHost, store = memoryStore(), clientMetadataUrl } = options
    const redirectUrl = new URL(options.redirectUrl)
    this.#timeoutMs = timeoutMs
    this.#host = host
    this.#provider = new PopupProvider({
      key: `interleave mcp ${new URL(url).href}`,
      store,
      redirectUrl: redirectUrl.href,
      clientName: options.clientName ?? redirectUrl.host,
      clientMetadataUrl,
      newId: host.newId,
      onPage: (page) => {
        this.#page = { page, host: new URL(page).host }
      },
    })
    this.#auth = oauth({
      url,
      provider: this.#provider,
      load: async () => sharedLibrary(await load(), String(url)),
      code: () => this.#code(),
    })
  }

  /** The state to show. The same object until it changes. */
  get state(): PopupState {
    return this.#state
  }

  /** Calls `listener` when `state` changes. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Opens the page on which the user consents. Call it in the handler of a click: browsers block other windows. */
  readonly open = (): void => {
    if (!this.#isWaiting) return
    this.#stopWatching()
    const popup = window.open('about:blank', '_blank', 'popup,width=520,height=720')
    this.#set({ type: popup ? 'open' : 'blocked', ...this.#page })
    if (!popup) return
    // Otherwise the foreign page could navigate this one.
    popup.opener = null
    popup.location.replace(this.#page.page)
    this.#watch(popup)
  }

  token(): PromiseLike<string | undefined> | string | undefined {
    return this.#auth.token()
  }

  async refuse(response: Response, whileUserActs: WhileUserActs): Promise<boolean> {
    try {
      const isRenewed = await this.#auth.refuse(response, whileUserActs)
      if (isRenewed) this.#set(idle)
      return isRenewed
    } catch (error) {
      if ('page' in this.#state) this.#set({ type: 'failed', host: this.#page.host, error: messageOf(error) })
      throw error
    }
  }

  async #code(): Promise<{ code: string; iss?: string }> {
    const { state, code, iss, error, description } = await this.#wait()
    if (code === undefined) {
      const { host } = this.#page
      this.#set({ type: 'denied', host, error: error ?? 'access_denied', ...(description && { description }) })
      throw new AgentError('remote_failed', `${host} denied access: ${error ?? 'access_denied'}.`)
    }
    this.#provider.answer(state)
    return { code, ...(iss !== undefined && { iss }) }
  }

  async #wait(): Promise<PopupAnswer> {
    const { host } = this.#page
    const onTimeout = (): never => {
      this.#set({ type: 'expired', host })
      throw new AgentError('remote_failed', `The user did not grant access at ${host} within ${this.#timeoutMs} ms.`)
    }
    let end = (): void => {}
    const answer = new Promise<PopupAnswer>((resolve) => {
      end = receiveAnswers((state) => this.#provider.take(state), resolve)
    })
    this.#isWaiting = true
    this.#set({ type: 'needed', ...this.#page })
    try {
      return await until(answer, { ms: this.#timeoutMs, onTimeout, host: this.#host })
    } finally {
      end()
      this.#isWaiting = false
      this.#stopWatching()
    }
  }

  /** Polls whether the window was closed, since no event reports that. */
  #watch(popup: Popup): void {
    const check = (): void => {
      if (!popup.closed) this.#stopWatching = this.#host.timer(watchMs, check)
      else if (this.#state.type === 'open') this.#set({ type: 'closed', ...this.#page })
    }
    this.#stopWatching = this.#host.timer(watchMs, check)
  }

  #set(state: PopupState): void {
    this.#state = state
    for (const listener of [...this.#listeners]) listener()
  }
}

const watchMs = 500

/** Renews tokens in one tab at a time: servers accept a refresh token once. */
function sharedLibrary(library: OAuthLibrary<never>, url: string): OAuthLibrary<PopupProvider> {
  const { extractWWWAuthenticateParams, computeScopeUnion, isStrictScopeSuperset } = library
  const auth: OAuthLibrary<PopupProvider>['auth'] = (provider, options) => {
    const work = (): Promise<'AUTHORIZED' | 'REDIRECT'> => library.auth(provider as never, options)
    if (options.authorizationCode !== undefined) return work()
    return oneAtATime(url, async () => ((await provider.isRenewed()) ? 'AUTHORIZED' : work()))
  }
  return { auth, extractWWWAuthenticateParams, computeScopeUnion, isStrictScopeSuperset }
}
