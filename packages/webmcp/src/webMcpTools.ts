import { AgentError, approval, type Json, type RunState, type ToolContext, type ToolSet, tool } from '@interleave/core'
import {
  assertOption,
  checkOptions,
  DEV,
  decisionBy,
  type JsonSchema,
  messageOf,
  parseJson,
  toJson,
} from '@interleave/core/internal'
import { type ToolSource, toolSource } from '@interleave/core/tools'
import {
  contentOf,
  inputFor,
  modelContext,
  offered,
  originOf,
  type RegisteredTool,
  registeredTools,
  schemaOf,
} from './modelContext.ts'

type Approve =
  | 'always'
  | 'never'
  | 'consequential'
  | ((tool: RegisteredTool, input: unknown, state: RunState) => boolean | string)

export interface WebMcpToolsOptions {
  /** The prefix of each name, followed by `_`; `page` by default. */
  prefix?: string
  /** The only tools to use, by the page's names. */
  only?: readonly string[]
  /** The origins of frames whose tools are included. By default only tools of the page's own origin are. */
  fromOrigins?: readonly string[]
  /**
   * Asks the user before a call: of tools that declare themselves consequential (`'consequential'`, the default), of
   * all, of none, or by a function.
   */
  approve?: Approve
  /** The time limit of a call in milliseconds. */
  timeoutMs?: number
}

/**
 * Returns the tools that the page has registered with WebMCP, as a source for `agent({ tools })`. There are none if the
 * browser has no WebMCP.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: [webMcpTools(), { search }] })
 */
export function webMcpTools(options: WebMcpToolsOptions = {}): ToolSource {
  checkOptions('webMcpTools()', options, ['prefix', 'only', 'fromOrigins', 'approve', 'timeoutMs'])
  const { approve = 'consequential', only, fromOrigins, prefix = 'page' } = options
  assertOption(
    typeof approve === 'function' || ['always', 'never', 'consequential'].includes(approve),
    DEV && 'The `approve` of webMcpTools() must be "always", "never", "consequential" or a function.',
  )
  let made = new Map<string, object>()
  return toolSource({
    async current() {
      const found = await registeredTools(fromOrigins)
      const now = new Map<string, object>()
      const tools = new Map<string, object>()
      for (const each of found) {
        if (isOffered(each) || only?.includes(each.name) === false) continue
        const name = nameFor(prefix, each, tools)
        const key = `${name} ${contentOf(each)}`
        // An unchanged tool is the same object.
        const known = made.get(key) ?? toTool(each, { ...options, approve })
        now.set(key, known)
        tools.set(name, known)
      }
      made = now
      return Object.fromEntries(tools) as ToolSet
    },
  })
}

const isOwn = (each: RegisteredTool): boolean => originOf(each) === location.origin
const isOffered = (each: RegisteredTool): boolean => isOwn(each) && offered.has(each.name)

/** Returns a name that providers accept. Frames may have tools of the same name. */
function nameFor(prefix: string, { name }: RegisteredTool, taken: ReadonlyMap<string, object>): string {
  const whole = (prefix ? `${prefix}_${name}` : name).replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  let free = whole
  for (let number = 2; taken.has(free); number++) free = `${whole.slice(0, 59)}_${number}`
  return free
}

function toTool(given: RegisteredTool, options: WebMcpToolsOptions & { readonly approve: Approve }): object {
  const { annotations = {}, description } = given
  const { approve, timeoutMs, fromOrigins } = options
  const isUntrusted = annotations.untrustedContentHint === true || !isOwn(given)
  const from = originOf(given)
  return tool<unknown, Json>({
    description: isOwn(given) ? description : `(By ${from}) ${description}`,
    inputSchema: { _type: undefined, jsonSchema: schemaOf(given) as JsonSchema },
    // Statements of another origin about its tools are not trusted.
    effect: annotations.readOnlyHint === true && isOwn(given) ? 'readOnly' : 'atMostOnce',
    approve: policyOf(given, approve),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: (input, context) => callTool(given, { input: Object(input), context, fromOrigins }),
    ...(isUntrusted && {
      toModelOutput: ({ output }) => ({ type: 'json', value: { trusted: false, from, result: output } }),
    }),
  })
}

function policyOf(given: RegisteredTool, approve: Approve) {
  if (typeof approve === 'function')
    return (input: unknown, state: RunState) => decisionBy(approve(given, input, state))
  const isAsked = approve === 'consequential' ? given.annotations?.consequentialHint === true : approve === 'always'
  return isAsked ? approval() : undefined
}

/** The maximum characters of a result, and the levels of its JSON. */
const longest = 1_000_000
const deepest = 60

interface Calling {
  readonly input: object
  readonly context: Pick<ToolContext, 'abortSignal'>
  readonly fromOrigins: readonly string[] | undefined
}

/** Calls a tool as the page has it now, since a tool of an earlier document cannot run. */
async function callTool(given: RegisteredTool, { input, context, fromOrigins }: Calling): Promise<Json> {
  const { abortSignal: signal } = context
  const same = (await registeredTools(fromOrigins)).find(
    (each) => each.name === given.name && originOf(each) === originOf(given),
  )
  if (!same) throw new AgentError('tool_unknown', `The page has no tool "${given.name}" any more.`)
  if (contentOf(same) !== contentOf(given))
    throw new AgentError('tool_unknown', `The tool "${given.name}" of the page has changed, so this call did not run.`)
  signal.throwIfAborted()
  let result: unknown
  try {
    result = await modelContext()?.executeTool(same, inputFor(input), { signal })
  } catch (error) {
    signal.throwIfAborted()
    const why = `The tool "${given.name}" of the page failed: ${messageOf(error)}`
    throw new AgentError('tool_failed', why, { cause: error })
  }
  return readResult(given.name, result)
}

/** Reads a result. The browser returns a string, which is JSON unless the tool returned a string. */
function readResult(name: string, result: unknown): Json {
  if (typeof result !== 'string') return toJson(result ?? null)
  if (result.length > longest)
    throw new AgentError('too_large', `The tool "${name}" of the page returned more than ${longest} characters.`)
  try {
    return parseJson(result, { maxLength: longest, maxDepth: deepest })
  } catch {
    return result
  }
}
