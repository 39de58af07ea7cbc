import { clientTool, type PageTool } from '@interleave/connect/worker'
import { AgentError, approval, type Json, type RunState, type ToolContext } from '@interleave/core'
import {
  assertOption,
  checkArgument,
  checkOptions,
  DEV,
  decisionBy,
  isObject,
  type JsonSchema,
  toJson,
} from '@interleave/core/internal'
import { type WebMcpToolsOptions, webMcpTools } from './webMcpTools.ts'

export interface RemotePageToolsOptions {
  /** Asks the user before a call: always (the default), never, or by a function that receives `{ name, input }`. */
  approve?: 'always' | 'never' | ((call: ClientToolCall, state: RunState) => boolean | string)
  /** The time limit of a call in milliseconds. */
  timeoutMs?: number
}

/** A call of a tool of the page. */
export interface ClientToolCall {
  readonly name: string
  readonly input?: Readonly<Record<string, unknown>>
}

const schemaOf = <T>(jsonSchema: JsonSchema) => ({ _type: undefined as T, jsonSchema })
const untrusted = ({ output }: { output: Json }) =>
  ({ type: 'json', value: { trusted: false, from: 'the page', result: output } }) as const

/** The two tools of `remoteWebMcpTools()`. It is no interface, which no record of tools would accept. */
export type RemotePageTools = {
  readonly listPageTools: PageTool<object, Json>
  readonly callPageTool: PageTool<ClientToolCall, Json>
}

/**
 * Returns two tools for an agent in a worker or on a server: one lists what the page offers with WebMCP, the other one
 * calls it. The page has their functions from `remoteWebMcpFunctions()`. Everything from the page is marked as untrusted.
 *
 * @example
 * export const pageAccess = remoteWebMcpTools()
 * export const guide = agent({ name: 'guide', model, tools: { search, ...pageAccess } })
 */
export function remoteWebMcpTools(options: RemotePageToolsOptions = {}): RemotePageTools {
  checkOptions('remoteWebMcpTools()', options, ['approve', 'timeoutMs'])
  const { approve = 'always', ...time } = options
  return {
    listPageTools: clientTool({
      description: 'Lists the tools that the page of the user offers, with their inputs.',
      inputSchema: schemaOf<object>({ type: 'object', properties: {}, additionalProperties: false }),
      effect: 'readOnly',
      toModelOutput: untrusted,
      ...time,
    }),
    callPageTool: clientTool({
      description: 'Calls a tool of the page of the user, by the name that listPageTools gives it.',
      inputSchema: schemaOf<ClientToolCall>({
        type: 'object',
        properties: { name: { type: 'string' }, input: { type: 'object' } },
        required: ['name'],
      }),
      approve: policyOf(approve),
      toModelOutput: untrusted,
      ...time,
    }),
  }
}

function policyOf(approve: RemotePageToolsOptions['approve']) {
  if (typeof approve === 'function') return (call: ClientToolCall, state: RunState) => decisionBy(approve(call, state))
  return approve === 'never' ? undefined : approval()
}

/**
 * Returns the functions of `remoteWebMcpTools()` for the page, as `workerAgent()` and `remoteAgent()` take them.
 *
 * @example
 * const guide = remoteAgent<Guide, typeof pageAccess>({ url, name: 'guide', tools: remoteWebMcpFunctions() })
 */
export function remoteWebMcpFunctions(
  options: Omit<WebMcpToolsOptions, 'approve' | 'prefix'> = {},
): RemotePageFunctions {
  checkArgument(options, 'options of remoteWebMcpFunctions()', 'an object')
  const source = webMcpTools({ ...options, prefix: '', approve: 'never' })
  return {
    async listPageTools() {
      const tools = Object.entries((await source.current()) as Record<string, Described>)
      return tools.map(([name, { description, inputSchema }]) => toJson({ name, description, ...inputSchema }))
    },
    async callPageTool({ name, input }: ClientToolCall, { abortSignal }) {
      const tools = (await source.current()) as Record<string, Described>
      assertOption(isObject(input ?? {}), DEV && 'The `input` of callPageTool must be an object.')
      if (!Object.hasOwn(tools, name)) throw new AgentError('tool_unknown', `The page has no tool "${name}".`)
      return (tools[name] as Described).execute({ ...input }, { abortSignal })
    },
  }
}

/** The functions of `remoteWebMcpTools()` in the page. */
export type RemotePageFunctions = {
  readonly listPageTools: () => Promise<Json>
  readonly callPageTool: (call: ClientToolCall, context: Pick<ToolContext, 'abortSignal'>) => Promise<Json>
}

interface Described {
  readonly description: string
  readonly inputSchema: { readonly jsonSchema: object }
  execute(input: object, context: Pick<ToolContext, 'abortSignal'>): Promise<Json>
}
