import { AgentError, type Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import { data, maybe, shapeOf, text } from '@interleave/core/shapes'
import { headerParams } from './headers.ts'
import { type JsonObject, longestMessage } from './rpc.ts'

/** A tool as its server describes it. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  /** Statements of the server about the tool. They may be wrong. */
  readonly annotations?: {
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
  }
  /** Statements about how it can be called. */
  readonly execution?: Json
  /** Other statements, such as those about its app. */
  readonly _meta?: Json
}

export interface ToolList {
  readonly tools: readonly McpTool[]
  /** The time when the list must be requested again. */
  readonly until: number
}

const tool = shapeOf({
  name: text,
  title: maybe(text),
  description: maybe(text),
  inputSchema: data,
  annotations: maybe(data),
})

const mostPages = 64
const mostTools = 4_096
const mostMs = 86_400_000
/** Milliseconds for which a list is valid if its server names no time. */
const usualMs = 60_000

/** Requests all pages of the list, which together may be as long as one message. Omits tools that cannot be called. */
export async function listAll(requestPage: (params: JsonObject) => Promise<JsonObject>): Promise<ToolList> {
  const tools: McpTool[] = []
  const cursors = new Set<string>()
  const until: number[] = []
  let length = 0
  for (let cursor: string | undefined; ; ) {
    const page = await requestPage(cursor === undefined ? {} : { cursor })
    if (!Array.isArray(page.tools)) throw new AgentError('remote_failed', 'The MCP server sent a list without `tools`.')
    length += JSON.stringify(page.tools).length
    if (length > longestMessage) throw tooLong()
    for (const each of page.tools as unknown[]) if (isCallable(each)) tools.push(each)
    const { ttlMs, nextCursor } = page
    until.push(Date.now() + (typeof ttlMs === 'number' ? Math.min(Math.max(ttlMs, 0), mostMs) : usualMs))
    if (typeof nextCursor !== 'string' || nextCursor === '') return { tools, until: Math.min(...until) }
    if (cursors.has(nextCursor) || cursors.size === mostPages || tools.length > mostTools)
      throw new AgentError('too_many', 'The list of tools of the MCP server has no end.')
    cursors.add(nextCursor)
    cursor = nextCursor
  }
}

const tooLong = (): AgentError =>
  new AgentError(
    'too_large',
    `The list of tools of the MCP server has more than ${longestMessage} characters. Use a server with fewer tools.`,
  )

const isTool = (given: unknown): given is McpTool => tool(given) === undefined
const isCallable = (given: unknown): given is McpTool =>
  isTool(given) && given.name !== '' && headerParams(given.inputSchema) !== undefined && !needsTask(given)

/** Returns true for a tool that can only be called as a task, which this client does not have. */
const needsTask = ({ execution }: McpTool): boolean => isObject(execution) && execution.taskSupport === 'required'

/** The media type of apps. */
export const appType = 'text/html;profile=mcp-app'

/** Statements of a tool about the app that shows its calls, and about its callers. */
interface ToolApp {
  /** The address of the app, beginning with `ui://`. */
  readonly uri?: string
  readonly isForModel: boolean
  readonly isForApps: boolean
}

/** Returns the statements of a tool about its app. Invalid statements are ignored. */
export function toolApp({ _meta: meta }: McpTool): ToolApp {
  const own = isObject(meta) ? meta : {}
  const { resourceUri = own['ui/resourceUri'], visibility } = isObject(own.ui) ? own.ui : {}
  const isFor = (caller: string): boolean => !Array.isArray(visibility) || visibility.includes(caller)
  return {
    ...(isAppUri(resourceUri) && { uri: resourceUri }),
    isForModel: isFor('model'),
    isForApps: isFor('app'),
  }
}

const isAppUri = (uri: unknown): uri is string =>
  typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 2_000
