import { type Json, type RunState, type ToolContext, type ToolSet, type ToolSource, tool } from '@interleave/core'
import {
  assertOption,
  canonicalJson,
  isObject,
  type JsonSchema,
  type KnownOptions,
  refuseUnknown,
  toJson,
} from '@interleave/core/internal'
import { toolSource } from '@interleave/core/tools'
import type { McpProgress, McpServer } from '../client/mcpServer.ts'
import type { JsonObject } from '../client/rpc.ts'
import type { McpTool } from '../client/toolList.ts'
import { callRounds } from './callRounds.ts'
import { isOfficial, type OfficialClient, officialServer } from './officialClient.ts'
import { ToolResult } from './toolResult.ts'

type Approve =
  | 'always'
  | 'never'
  | 'destructive'
  | ((tool: McpTool, input: unknown, state: RunState) => boolean | string)

export interface McpToolsOptions {
  /** Before each name, with `_` between them. Of several servers, each has its own. */
  prefix?: string
  /** The only tools to take, by the names that the server gives them. */
  only?: readonly string[]
  /**
   * Asks the user before a call: of tools that say that they destroy something (`'destructive'`, the default), of all, of
   * none, or by a function.
   */
  approve?: Approve
  /**
   * True if the app trusts what the server says about its tools: `readOnlyHint` makes a tool `pure`, and `idempotentHint`
   * makes it `idempotent`. Otherwise each is `once`.
   */
  trustHints?: boolean
  /** The time of a call, without that in which it waits for a user. */
  timeoutMs?: number
}

const toolsOptions: KnownOptions<McpToolsOptions> = {
  prefix: true,
  only: true,
  approve: true,
  trustHints: true,
  timeoutMs: true,
}

type Client = McpServer | OfficialClient

/**
 * Returns the tools of an MCP server, or of several by prefix, as a source for `agent({ tools })`: they follow the server's
 * list. Questions of a server become questions of the run.
 *
 * @example
 * const tools = mcpTools({ shop: mcpClient({ url: shopUrl }), docs: mcpClient({ url: docsUrl }) })
 */
export function mcpTools(from: Client | Readonly<Record<string, Client>>, options: McpToolsOptions = {}): ToolSource {
  refuseUnknown('mcpTools()', options, toolsOptions)
  const { approve = 'destructive' } = options
  assertOption(
    typeof approve === 'function' || ['always', 'never', 'destructive'].includes(approve),
    'The `approve` of mcpTools() must be "always", "never", "destructive" or a function.',
  )
  const clients = isClient(from) ? [[options.prefix, from] as const] : Object.entries(from)
  assertOption(
    isClient(from) || options.prefix === undefined,
    'mcpTools() has a `prefix` for several servers. Their names in the object are their prefixes.',
  )
  const servers = clients.map(([prefix, client]) => {
    assertOption(isClient(client), 'mcpTools() needs a client: mcpClient({ url }).')
    const server = isOfficial(client) ? officialServer(client) : client
    return new ServerTools({ server, prefix, options, needsOnly: isClient(from) })
  })
  return toolSource({
    current: async () => unique((await Promise.all(servers.map((each) => each.read()))).flat()),
    follow() {
      const ends = servers.map(({ server }) => server.followTools?.())
      return () => {
        for (const end of ends) end?.()
      }
    },
  })
}

type Named = readonly [name: string, tool: object]

interface Given {
  readonly server: McpServer
  readonly prefix: string | undefined
  readonly options: McpToolsOptions
  /** The server must have all tools of `only`. */
  readonly needsOnly: boolean
}

/** The tools of one server. */
class ServerTools {
  readonly server: McpServer
  readonly #given: Given
  #found: readonly McpTool[] | undefined
  #tools: readonly Named[] = []
  /** By the server's name and description: a tool that stays the same is the same object. */
  #made = new Map<string, object>()

  constructor(given: Given) {
    this.server = given.server
    this.#given = given
  }

  /** Returns the tools as they are now. If the server cannot be asked any more, those that it had. */
  async read(): Promise<readonly Named[]> {
    try {
      const found = await this.server.listTools()
      if (found !== this.#found) this.#take(found)
    } catch (error) {
      if (!this.#found) throw error
    }
    return this.#tools
  }

  #take(found: readonly McpTool[]): void {
    const { server, prefix, options, needsOnly } = this.#given
    const { only } = options
    // Later, a tool may go away.
    const isFirst = this.#found === undefined
    const missing = only?.find((name) => needsOnly && isFirst && !found.some((each) => each.name === name))
    assertOption(missing === undefined, `\`only\` of mcpTools() has "${missing}", which ${server.host} does not offer.`)
    const made = new Map<string, object>()
    const taken = only ? found.filter(({ name }) => only.includes(name)) : found
    this.#tools = taken.map((each) => {
      const key = canonicalJson(toJson(each))
      const known = this.#made.get(key) ?? toTool(server, each, options)
      made.set(key, known)
      return [nameFor(prefix, each.name), known]
    })
    this.#found = found
    this.#made = made
  }
}

const isClient = (value: unknown): value is Client =>
  typeof (value as Partial<McpServer> | null)?.listTools === 'function'

/** A name that providers accept. */
const nameFor = (prefix: string | undefined, name: string): string =>
  (prefix ? `${prefix}_${name}` : name).replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)

function unique(tools: readonly (readonly [string, object])[]): ToolSet {
  const set: Record<string, object> = {}
  for (const [name, made] of tools) {
    assertOption(!Object.hasOwn(set, name), `mcpTools() found two tools "${name}". Give their servers other prefixes.`)
    set[name] = made
  }
  return set
}

function toTool(server: McpServer, given: McpTool, options: McpToolsOptions): object {
  const { name, title, description, inputSchema } = given
  const { $schema: _, ...jsonSchema } = inputSchema
  const { timeoutMs } = options
  return tool<JsonObject, unknown>({
    description: description ?? title ?? name,
    inputSchema: { jsonSchema: jsonSchema as JsonSchema } as never,
    effect: effectOf(given, options),
    approve: approvalOf(given, options),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (input, context) => calling(server, name, isObject(input) ? input : {}, context),
    toModelOutput: ({ output }) => (output as ToolResult).forModel(),
  })
}

function effectOf({ annotations = {} }: McpTool, { trustHints }: McpToolsOptions): 'pure' | 'idempotent' | 'once' {
  if (!trustHints) return 'once'
  if (annotations.readOnlyHint === true) return 'pure'
  return annotations.idempotentHint === true ? 'idempotent' : 'once'
}

type Policy = 'always' | 'never' | ((input: unknown, state: RunState) => boolean | string)

/** That a tool destroys something is believed of any server. */
function approvalOf(given: McpTool, { approve = 'destructive' }: McpToolsOptions): Policy {
  if (typeof approve === 'function') return (input, state) => approve(given, input, state)
  if (approve === 'destructive') return given.annotations?.destructiveHint === true ? 'always' : 'never'
  return approve
}

/** Yields the latest progress, and then the result. */
async function* calling(
  server: McpServer,
  name: string,
  input: JsonObject,
  context: ToolContext,
): AsyncGenerator<Json | ToolResult, void> {
  let latest: McpProgress | undefined
  let wake = (): void => {}
  const onProgress = (progress: McpProgress): void => {
    latest = progress
    wake()
  }
  let isOver = false
  const result = callRounds({ server, name, input, context, onProgress }).finally(() => {
    isOver = true
    wake()
  })
  // Nobody waits for it where the call is given up meanwhile.
  result.catch(() => {})
  while (!isOver) {
    await new Promise<void>((resolve) => {
      wake = resolve
      if (latest || isOver) resolve()
    })
    const now = latest
    latest = undefined
    if (now) yield { ...now }
  }
  yield new ToolResult(await result, server.host)
}
