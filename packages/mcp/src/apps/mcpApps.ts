import { assertOption, checkOptions, DEV } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { toolSource } from '@interleave/core/tools'
import type { McpServer } from '../client/mcpServer.ts'
import { toolApp } from '../client/toolList.ts'
import {
  type Client,
  type McpToolsOptions,
  nameFor,
  readAll,
  type ServerTools,
  serversOf,
  toolsNames,
} from '../tools/mcpTools.ts'
import { type AppPermission, type AppResource, readApp } from './appResource.ts'
import { type AppCall, AppRuns } from './appRuns.ts'
import { AppView, type AppViewParts, type FoundApp } from './appView.ts'

export interface McpAppsOptions extends McpToolsOptions {
  /**
   * The address of `sandbox.html` of this package, on another origin than the page. It contains the apps, so that they
   * can reach neither your page nor its storage.
   */
  sandbox: string | URL
  /** Persists the calls of apps, and their questions. Use the journal of the runs that show the apps. */
  journal?: Journal
  /** Browser features that apps may use if they request them; none by default. */
  permissions?: readonly AppPermission[]
}

/**
 * Returns the apps of an MCP server, or of several by prefix: the user interfaces of their tools, for `McpApp` of
 * `@interleave/react/mcp-app`. Give the same servers and prefixes as to `mcpTools`. Calls that an app makes are runs of
 * their own, below the run that shows it; `only`, `approve` and `trustHints` are for them.
 *
 * @example
 * const shop = mcpClient({ url, apps: true })
 * const buyer = agent({ name: 'buyer', model, tools: mcpTools(shop) })
 * const apps = mcpApps(shop, { sandbox: 'https://sandbox.example.com/sandbox.html', journal })
 */
export function mcpApps(from: Client | Readonly<Record<string, Client>>, options: McpAppsOptions): McpApps {
  checkOptions('mcpApps()', options, [...toolsNames, 'sandbox', 'journal', 'permissions'])
  return new McpApps(from, options)
}

/** The maximum number of apps that are cached for the next call of their tool. */
const mostCached = 32

/** The apps of MCP servers. */
export class McpApps {
  /** The address of the sandbox page. */
  readonly sandbox: string
  readonly #servers: readonly ServerTools[]
  readonly #parts: AppViewParts
  readonly #cached = new Map<string, Promise<AppResource>>()

  constructor(from: Client | Readonly<Record<string, Client>>, options: McpAppsOptions) {
    const { sandbox, journal, permissions = [], ...tools } = options
    this.sandbox = checkSandbox(sandbox)
    this.#servers = serversOf(from, { owner: 'mcpApps()', options: tools, isForApps: true })
    this.#parts = {
      runs: new AppRuns(toolSource({ current: () => readAll(this.#servers, 'mcpApps()') }), journal),
      origin: new URL(this.sandbox).origin,
      permissions,
      find: (name) => this.#find(name),
      callable: (server, name) => this.#callable(server, name),
    }
  }

  /** Returns the view of a call, by the agent's name for the tool. Without `call`, the app's requests are refused. */
  view(tool: string, call: AppCall | undefined): AppView {
    return new AppView(this.#parts, tool, call)
  }

  async #find(name: string): Promise<FoundApp | undefined> {
    for (const { server, prefix } of this.#servers) {
      const tool = (await server.listTools()).find((each) => nameFor(prefix, each.name) === name)
      const uri = tool && toolApp(tool).uri
      if (tool && uri !== undefined) return { server, tool, resource: await this.#read(server, uri) }
    }
    return undefined
  }

  #read(server: McpServer, uri: string): Promise<AppResource> {
    const key = `${this.#servers.findIndex((each) => each.server === server)} ${uri}`
    const cached = this.#cached.get(key)
    if (cached) return cached
    const reading = readApp(server, uri)
    if (this.#cached.size >= mostCached) this.#cached.clear()
    this.#cached.set(key, reading)
    reading.catch(() => this.#cached.delete(key))
    return reading
  }

  async #callable(server: McpServer, name: string): Promise<string | undefined> {
    const own = this.#servers.find((each) => each.server === server)
    return (await own?.offers(name)) ? nameFor(own?.prefix, name) : undefined
  }
}

/** Throws for a sandbox on the page's own origin, where an app could access everything that the page can. */
function checkSandbox(sandbox: unknown): string {
  const given = String(sandbox)
  const words = 'The `sandbox` of mcpApps() must be'
  assertOption(URL.canParse(given), DEV && `${words} the whole address of \`sandbox.html\`, and not "${given}".`)
  const { href, origin, protocol } = new URL(given)
  assertOption(
    protocol === 'https:' || protocol === 'http:',
    DEV && `${words} an address with https:, and not "${given}".`,
  )
  const isOwn = typeof location === 'object' && location.origin === origin
  assertOption(
    !isOwn,
    DEV &&
      `${words} on another origin than this page (${origin}): another host, or another port. On its own origin an app could read what your page stores.`,
  )
  return href
}
