import { Notifier, until } from '@interleave/connect/internal'
import {
  type ApprovalOptions,
  approval,
  type Json,
  localHost,
  type RunState,
  type ToolSet,
  tool,
} from '@interleave/core'
import {
  assertOption,
  canonicalJson,
  checkOptions,
  DEV,
  decisionBy,
  interruptions,
  isObject,
  type JsonSchema,
  toJson,
} from '@interleave/core/internal'
import { type ToolSource, toolSource } from '@interleave/core/tools'
import type { McpProgress, McpServer } from '../client/mcpServer.ts'
import { type McpTool, toolApp } from '../client/toolList.ts'
import { type Calling, callRounds } from './callRounds.ts'
import { isOfficial, type OfficialClient, officialServer } from './officialClient.ts'
import { ToolResult } from './toolResult.ts'

type Approve =
  | 'always'
  | 'never'
  | 'destructive'
  | ((tool: McpTool, input: unknown, state: RunState) => boolean | string)

export interface McpToolsOptions {
  /** The prefix of each name, followed by `_`. With several servers, each has its own. */
  prefix?: string
  /** The only tools to use, by the server's names. */
  only?: readonly string[]
  /**
   * Asks the user before a call: of tools that declare themselves destructive (`'destructive'`, the default), of all,
   * of none, or by a function.
   */
  approve?: Approve
  /**
   * True if the app trusts the server's statements about its tools: `readOnlyHint` makes a tool `readOnly`, and
   * `idempotentHint` makes it `idempotent`. Otherwise each is `atMostOnce`.
   */
  trustHints?: boolean
  /** The time limit of a call in milliseconds, without the time in which it waits for a user. */
  timeoutMs?: number
  /**
   * True if the agent works without the tools of a server that cannot be reached. It is tried again before each turn, and
   * `missingTools(run.state)` names it meanwhile. By default, the first turn fails.
   */
  optional?: boolean
}

export const toolsNames = ['prefix', 'only', 'approve', 'trustHints', 'timeoutMs', 'optional'] as const

/** A client whose tools can be used. */
export type Client = McpServer | OfficialClient

/**
 * Returns the tools of an MCP server, or of several by prefix, as a source for `agent({ tools })`: they follow the server's
 * list. Questions of a server become questions of the run.
 *
 * @example
 * const tools = mcpTools({ shop: mcpClient({ url: shopUrl }), docs: mcpClient({ url: docsUrl }) })
 */
export function mcpTools(from: Client | Readonly<Record<string, Client>>, options: McpToolsOptions = {}): ToolSource {
  checkOptions('mcpTools()', options, toolsNames)
  const { approve = 'never' } = options
  assertOption(
    typeof approve === 'function' || ['always', 'never', 'destructive'].includes(approve),
    'The `approve` of mcpTools() must be "always", "never", "destructive" or a function.',
  )
  const servers = serversOf(from, { owner: 'mcpTools()', options })
  return toolSource({
    current: () => readAll(servers, 'mcpTools()'),
    ...(servers.some(({ server }) => server.mayAskUser) && { timeoutMs: Number.POSITIVE_INFINITY }),
    missing: () => servers.flatMap(({ isMissing, server }) => (isMissing ? server.host : [])),
    follow() {
      const ends = servers.map(({ server }) => server.followTools?.())
      return () => {
        for (const end of ends) end?.()
      }
    },
  })
}

type Named = readonly [name: string, tool: object]

interface SourceOptions {
  /** The function that has the options, such as `mcpTools()`. */
  readonly owner: string
  readonly options: McpToolsOptions
  /** True if apps call the tools instead of the model. */
  readonly isForApps?: boolean
}

interface ServerOptions extends SourceOptions {
  readonly server: McpServer
  readonly prefix: string | undefined
  /** True if the server must have all tools of `only`. */
  readonly needsOnly: boolean
}

/** Returns the servers. `from` is one client, or several by prefix. */
export function serversOf(
  from: Client | Readonly<Record<string, Client>>,
  given: SourceOptions,
): readonly ServerTools[] {
  const { owner, options } = given
  assertOption(isObject(from), DEV && `${owner} needs a client: mcpClient({ url }), or several by prefix.`)
  const clients = isClient(from) ? [[options.prefix, from] as const] : Object.entries(from)
  assertOption(
    isClient(from) || options.prefix === undefined,
    DEV && `${owner} has a \`prefix\` for several servers. Their names in the object are their prefixes.`,
  )
  return clients.map(([prefix, client]) => {
    assertOption(isClient(client), DEV && `${owner} needs a client: mcpClient({ url }).`)
    const server = isOfficial(client) ? officialServer(client) : client
    return new ServerTools({ ...given, server, prefix, needsOnly: isClient(from) })
  })
}

export class ServerTools {
  readonly server: McpServer
  readonly prefix: string | undefined
  readonly #given: ServerOptions
  #found: readonly McpTool[] | undefined
  #tools: readonly Named[] = []
  /** A list that the server still owes, if it is optional. */
  #reading: Promise<readonly McpTool[]> | undefined
  /** True if the server is optional, and has never been reached. */
  isMissing = false
  /** The tools by the server's name and description: an unchanged tool is the same object. */
  #made = new Map<string, object>()

  constructor(given: ServerOptions) {
    this.server = given.server
    this.prefix = given.prefix
    this.#given = given
  }

  /** Returns the current tools. If the server cannot be reached any more, returns the previous ones. */
  async read(): Promise<readonly Named[]> {
    const { optional } = this.#given.options
    let found: readonly McpTool[] | undefined
    try {
      found = await (optional ? this.#inTime() : this.server.listTools())
    } catch (error) {
      if (!this.#found && !optional) throw error
    }
    this.isMissing = !found && !this.#found
    if (found && found !== this.#found) this.#setTools(found)
    return this.#tools
  }

  /** Waits for the list, but only once for a server that does not answer. */
  #inTime(): Promise<readonly McpTool[]> {
    const isLate = this.#reading !== undefined
    this.#reading ??= Promise.resolve(this.server.listTools()).finally(() => {
      this.#reading = undefined
    })
    const ms = this.server.mayAskUser ? Number.POSITIVE_INFINITY : optionalMs
    return until(this.#reading, { ms: isLate ? 0 : ms })
  }

  /** Returns true if there is a tool with this name that may be called. */
  async offers(name: string): Promise<boolean> {
    return this.#allowed(await this.server.listTools()).some((each) => each.name === name)
  }

  #allowed(found: readonly McpTool[]): readonly McpTool[] {
    const {
      options: { only },
      isForApps,
    } = this.#given
    return found.filter((each) => {
      const app = toolApp(each)
      return (isForApps ? app.isForApps : app.isForModel) && (!only || only.includes(each.name))
    })
  }

  #setTools(found: readonly McpTool[]): void {
    const { owner, server, prefix, options, isForApps, needsOnly } = this.#given
    const { only } = options
    // Later, the server may remove a tool.
    const isFirst = this.#found === undefined
    const missing = only?.find((name) => needsOnly && isFirst && !found.some((each) => each.name === name))
    assertOption(
      missing === undefined,
      DEV && `\`only\` of ${owner} has "${missing}", which ${server.host} does not offer.`,
    )
    const made = new Map<string, object>()
    this.#tools = this.#allowed(found).map((each) => {
      const key = canonicalJson(toJson(each))
      const known = this.#made.get(key) ?? toTool(server, each, { ...options, isForApps })
      made.set(key, known)
      return [nameFor(prefix, each.name), known]
    })
    this.#found = found
    this.#made = made
  }
}

/** Milliseconds for which the first turn waits for an optional server. */
const optionalMs = 5_000

const isClient = (value: unknown): value is Client =>
  typeof (value as Partial<McpServer> | null)?.listTools === 'function'

/** Returns a name that providers accept. */
export const nameFor = (prefix: string | undefined, name: string): string =>
  (prefix ? `${prefix}_${name}` : name).replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)

/** Returns the tools of all servers by name. Throws if two have one name. */
export async function readAll(servers: readonly ServerTools[], owner: string): Promise<ToolSet> {
  const tools = (await Promise.all(servers.map((each) => each.read()))).flat()
  const names = new Set<string>()
  for (const [name] of tools) {
    assertOption(
      !names.has(name),
      DEV &&
        `${owner} found two tools "${name}". Give the servers different prefixes, or exclude one of the tools with \`only\`.`,
    )
    names.add(name)
  }
  return Object.fromEntries(tools)
}

interface ToolOptions extends McpToolsOptions {
  readonly isForApps: boolean | undefined
}

function toTool(server: McpServer, given: McpTool, options: ToolOptions): object {
  const { name, title, description, inputSchema } = given
  const { $schema: _, ...jsonSchema } = inputSchema
  const { timeoutMs } = options
  const effect = effectOf(given, options)
  const made = tool<unknown, unknown>({
    description: description ?? title ?? name,
    inputSchema: { _type: undefined, jsonSchema: jsonSchema as JsonSchema },
    effect,
    approve: approvalOf(given, options),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (input, context) =>
      callWithProgress({ server, name, isOnce: effect === 'atMostOnce', input: isObject(input) ? input : {}, context }),
    toModelOutput: ({ output }) => (output as ToolResult).forModel(),
  })
  // A connection to another machine may be lost at any time.
  return Object.assign(made, { interruptions })
}

function effectOf(
  { annotations = {} }: McpTool,
  { trustHints }: McpToolsOptions,
): 'readOnly' | 'idempotent' | 'atMostOnce' {
  if (!trustHints) return 'atMostOnce'
  if (annotations.readOnlyHint === true) return 'readOnly'
  return annotations.idempotentHint === true ? 'idempotent' : 'atMostOnce'
}

/** Returns the approval of a tool. A hint that a tool is destructive is trusted from any server. */
function approvalOf(given: McpTool, { approve = 'destructive', isForApps }: ToolOptions) {
  // A run of an app ends with its call, so no permission could apply to later ones.
  const bounds: ApprovalOptions = isForApps ? { remember: 'never' } : {}
  if (typeof approve === 'function')
    return (input: unknown, state: RunState) => decisionBy(approve(given, input, state), bounds)
  const isAsked = approve === 'destructive' ? given.annotations?.destructiveHint === true : approve === 'always'
  return isAsked ? approval(bounds) : undefined
}

/** Yields the latest progress, and then the result. */
async function* callWithProgress(call: Omit<Calling, 'onProgress'>): AsyncGenerator<Json | ToolResult, void> {
  const notifier = new Notifier(localHost)
  let latest: McpProgress | undefined
  let isOver = false
  const onProgress = (progress: McpProgress): void => {
    latest = progress
    notifier.notify()
  }
  const result = callRounds({ ...call, onProgress }).finally(() => {
    isOver = true
    notifier.notify()
  })
  // If the call is abandoned meanwhile, nothing handles its rejection.
  result.catch(() => {})
  while (!isOver) {
    await notifier.next(Number.POSITIVE_INFINITY)
    const now = latest
    latest = undefined
    if (now) yield { ...now }
  }
  yield new ToolResult(await result, call.server.host)
}
