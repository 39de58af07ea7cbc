import { AgentError } from '@interleave/core'
import { assertOption, checkOptions, DEV, quietly } from '@interleave/core/internal'
import type { McpAuth } from './auth.ts'
import { type Endpoint, type Fetch, Unreachable } from './exchange.ts'
import { headerParams, paramHeaders } from './headers.ts'
import { LegacyEra, NoSession } from './legacyEra.ts'
import { ListedTools } from './listedTools.ts'
import type { CallParams, McpServer, RequestInside, RequestOptions } from './mcpServer.ts'
import { capabilitiesOf, ModernEra } from './modernEra.ts'
import { Renewals } from './renewals.ts'
import { type JsonObject, type Message, RpcError } from './rpc.ts'
import type { McpTool } from './toolList.ts'

export interface McpClientOptions {
  /** The server's MCP endpoint, such as `https://mcp.example.com/mcp`. */
  url: string | URL
  /** Sent with each request. A function is called for each. */
  headers?: Headers | (() => Headers | PromiseLike<Headers>)
  /** Makes the requests; the platform's `fetch` by default. */
  fetch?: Fetch
  /** Authorizes the requests: `oauth()`, or your own. */
  auth?: McpAuth
  /**
   * Returns the trace that a request continues, as `traceparent` and `tracestate`; `headers` of `@interleave/otel` does. Sent
   * in the `_meta` of the request, where MCP servers look for it.
   */
  trace?: (of: { readonly idempotencyKey?: string | undefined }) => Headers
  /** True if the page shows apps, so that the server offers tools with them. False by default. */
  apps?: boolean
  /** The only era of the protocol to speak. By default, 2026-07-28 is tried first, and then that of 2025. */
  era?: 'modern' | 'legacy'
}
type Headers = Readonly<Record<string, string>>

/**
 * Connects to an MCP server over Streamable HTTP. Nothing is sent before the first request.
 *
 * @example
 * const tools = mcpTools(mcpClient({ url: 'https://mcp.example.com/mcp' }))
 */
export function mcpClient(options: McpClientOptions): McpClient {
  checkOptions('mcpClient()', options, ['url', 'headers', 'fetch', 'auth', 'trace', 'apps', 'era'])
  return new McpClient(options)
}

export class McpClient implements McpServer {
  readonly host: string
  readonly mayAskUser: boolean
  readonly #to: Endpoint
  readonly #only: McpClientOptions['era']
  readonly #trace: McpClientOptions['trace']
  readonly #modern: ModernEra
  readonly #tools: ListedTools
  #isModern = false
  #legacy: Promise<LegacyEra> | undefined

  constructor({
    url,
    headers = {},
    fetch = (to, init) => globalThis.fetch(to, init),
    auth,
    trace,
    apps = false,
    era,
  }: McpClientOptions) {
    assertOption(URL.canParse(String(url)), DEV && `The \`url\` of mcpClient() is "${url}". Give the whole address.`)
    const address = new URL(url)
    this.host = address.host
    this.mayAskUser = auth !== undefined
    this.#only = era
    this.#trace = trace
    this.#to = {
      ...{ url: address, fetch, auth, renewals: new Renewals() },
      capabilities: capabilitiesOf(apps),
      headers: async () => (typeof headers === 'function' ? headers() : headers),
    }
    this.#modern = new ModernEra(this.#to)
    this.#tools = new ListedTools({
      host: this.host,
      renewals: this.#to.renewals,
      request: (params, signal) => this.request('tools/list', params, { signal }),
      listen: (signal, onMessage) => this.#listen(signal, onMessage),
    })
  }

  /**
   * Returns the tools of the server. Requests the list again when the server reports a change, or when its list has
   * expired.
   */
  listTools(options: RequestOptions = {}): Promise<readonly McpTool[]> {
    return this.#tools.read(options)
  }

  /** Listens for changes of the list of tools, if the server reports them. Ends when all followers have ended it. */
  followTools(): () => void {
    return this.#tools.follow()
  }

  async #listen(signal: AbortSignal, onMessage: (message: Message) => void): Promise<void> {
    if (this.#legacy) return (await this.#legacy).listen(signal, onMessage)
    await this.request('subscriptions/listen', { notifications: { toolsListChanged: true } }, { signal, onMessage })
  }

  /** Calls a tool. The result may ask for input: see `resultType`. */
  async callTool(params: CallParams, options: RequestOptions = {}): Promise<JsonObject> {
    const call = (): Promise<JsonObject> =>
      this.request('tools/call', { ...params }, { ...options, headers: this.#headersOf(params) })
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RpcError) || error.rpcCode !== headerMismatch) throw error
      // The server requires other headers than those in its earlier list. It rejected the call without executing it.
      this.#tools.expire()
      await this.listTools(options)
      return call()
    }
  }

  #headersOf({ name, arguments: input }: CallParams): Readonly<Record<string, string>> {
    const tool = this.#tools.find(name)
    return tool ? paramHeaders(headerParams(tool.inputSchema) ?? [], input) : {}
  }

  /** Sends a request of any method, and returns its result. */
  async request(method: string, params: JsonObject = {}, given: RequestInside = {}): Promise<JsonObject> {
    const options = this.#trace ? { ...given, meta: traceOf(this.#trace, given) } : given
    if (this.#legacy || this.#only === 'legacy') return this.#speakLegacy(method, params, options)
    try {
      const result = await this.#modern.request(method, params, options)
      this.#isModern = true
      return result
    } catch (error) {
      if (this.#isModern || this.#only === 'modern' || !mayBeLegacy(error)) throw error
      this.#legacy ??= this.#openLegacy(error).catch((why) => {
        this.#legacy = undefined
        throw why
      })
      return this.#speakLegacy(method, params, options)
    }
  }

  async #speakLegacy(method: string, params: JsonObject, options: RequestInside): Promise<JsonObject> {
    this.#legacy ??= Promise.resolve(new LegacyEra(this.#to))
    return (await this.#legacy).request(method, params, options)
  }

  /** Starts a session of 2025, or throws the first error if the server does not support that either. */
  async #openLegacy(first: AgentError): Promise<LegacyEra> {
    if (!(first instanceof Unreachable) && (await this.#isModernAfterAll())) throw first
    const legacy = new LegacyEra(this.#to)
    await legacy.open().catch((why) => {
      throw why instanceof NoSession ? why : first
    })
    if (first instanceof Unreachable)
      console.warn(
        `The MCP server ${this.host} speaks the protocol of 2025. A later version could not be used: ${first.message}`,
      )
    return legacy
  }

  /** Returns true if the server speaks the modern era, and its refusal was about the request. */
  async #isModernAfterAll(): Promise<boolean> {
    try {
      const { supportedVersions } = await this.#modern.request('server/discover', {}, {})
      this.#isModern = Array.isArray(supportedVersions)
    } catch {}
    return this.#isModern
  }
}

/** Returns the trace, or nothing if that fails: a request without its trace is better than none. */
const traceOf = (trace: NonNullable<McpClientOptions['trace']>, options: RequestInside): Headers =>
  quietly(() => trace(options)) ?? {}

/**
 * Returns true if the error may come from a server of 2025, which rejects a request without a session. A page cannot
 * distinguish that from a server that is down.
 */
function mayBeLegacy(error: unknown): error is AgentError {
  if (error instanceof Unreachable) return error.isOfPage
  if (!(error instanceof AgentError)) return false
  const { status = 200 } = error
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
}

const headerMismatch = -32020
