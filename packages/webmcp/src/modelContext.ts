import { canonicalJson, isObject, toJson } from '@interleave/core/internal'

/**
 * A tool as `document.modelContext.getTools()` describes it. The script that registered it is the source of all of it,
 * and may be wrong.
 */
export interface RegisteredTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: object
  readonly annotations?: {
    readonly readOnlyHint?: boolean
    readonly untrustedContentHint?: boolean
    readonly consequentialHint?: boolean
  }
  readonly origin?: string
}

/** The options of `registerTool`. */
export interface ToolDescription {
  readonly name: string
  readonly description: string
  readonly inputSchema?: object
  readonly annotations?: NonNullable<RegisteredTool['annotations']>
  readonly execute: (input: unknown, client?: { readonly signal?: AbortSignal }) => Promise<unknown>
}

/** The part of `document.modelContext` that is used here. */
export interface ModelContext {
  registerTool(
    tool: ToolDescription,
    options?: { signal?: AbortSignal; exposedTo?: readonly string[] },
  ): PromiseLike<unknown> | undefined
  getTools(options?: { fromOrigins?: readonly string[] }): PromiseLike<readonly RegisteredTool[]>
  executeTool(tool: RegisteredTool, input: object, options?: { signal?: AbortSignal }): PromiseLike<unknown>
}

/** Returns the browser's interface, or undefined where there is none. */
export function modelContext(): ModelContext | undefined {
  const found: unknown = typeof document === 'object' ? Reflect.get(document, 'modelContext') : undefined
  return typeof Object(found).registerTool === 'function' ? (found as ModelContext) : undefined
}

/** Returns an input for `executeTool`: browsers take an object, and the polyfill a string of JSON. */
export const inputFor = (input: object): object =>
  Object.defineProperty({ ...input }, 'toString', { enumerable: false, value: () => JSON.stringify(input) })

/** The names of the tools that this page offers by `exposeTools`. Its own agents use them without the browser. */
export const offered: Set<string> = new Set()

const mostTools = 512

/** Returns the valid tools of the page, and of frames of these origins. */
export async function registeredTools(fromOrigins: readonly string[] | undefined): Promise<readonly RegisteredTool[]> {
  const found: unknown = await modelContext()?.getTools(fromOrigins ? { fromOrigins } : {})
  return Array.isArray(found) ? found.slice(0, mostTools).filter(isTool) : []
}

/**
 * Returns false for a tool that cannot be read, or is too large for a prompt. Any script may register one, and the
 * others stay.
 */
function isTool(each: unknown): each is RegisteredTool {
  try {
    const { name, description, inputSchema = {}, annotations = {} } = Object(each)
    const isDescribed = typeof name === 'string' && name !== '' && typeof description === 'string'
    return (
      isDescribed &&
      isObject(annotations) &&
      typeof inputSchema === 'object' &&
      contentOf(each as RegisteredTool).length <= longest
    )
  } catch {
    return false
  }
}

/** The maximum characters of what a tool says about itself. */
const longest = 100_000

/** Returns the description of a tool as a string, since the objects of two look-ups differ. */
export const contentOf = (each: RegisteredTool): string => {
  const { name, title, description, annotations } = each
  return canonicalJson(toJson([originOf(each), name, title, description, schemaOf(each), annotations]))
}

/** Returns the origin of a tool. A polyfill may omit that of the page itself. */
export const originOf = ({ origin }: RegisteredTool): string => origin || location.origin

/** Returns the schema of a tool's input as a plain object. */
export const schemaOf = ({ inputSchema }: RegisteredTool): object => {
  const { $schema: _, ...schema } = isObject(inputSchema) ? inputSchema : { $schema: undefined }
  return Object.keys(schema).length > 0 ? schema : { type: 'object', properties: {} }
}
