import { checkArgument, checkOptions, DEV } from '#checks'
import { approval } from '../capabilities/approvals/approval.ts'
import { canonicalJson, digestOf, type Json, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { ToolSource } from '../run.ts'
import { compileSchema, type JsonSchema } from '../schema.ts'
import type { AnyTool, ToolSet } from '../tool.ts'

export interface PinnedOptions {
  /** The pins from the review of the tools. */
  pins: Pins
  /**
   * The treatment of tools that are new or have changed since the review: `ask` needs approval for each call and hides
   * the new description from the model; `leaveOut` omits the tool.
   */
  changed?: 'ask' | 'leaveOut'
}

/**
 * Compares foreign tools, such as those of an MCP server, with their reviewed descriptions. A description is part of the
 * prompt, so a later change of it may influence the model.
 *
 * @example
 * const tools = await pinned(await mcp.tools(), { pins })
 * const source = pinned(mcpTools(shop), { pins })
 */
export function pinned(tools: ToolSet, options: PinnedOptions): Promise<ToolSet>
export function pinned(tools: ToolSource, options: PinnedOptions): ToolSource
export function pinned(tools: ToolSet | ToolSource, options: PinnedOptions): Promise<ToolSet> | ToolSource {
  checkOptions('pinned()', options, ['pins', 'changed'])
  const { pins, changed = 'ask' } = options
  assertOption(
    pins && typeof pins === 'object',
    DEV && 'pinned() needs `pins`: the result of pinsOf(tools) when you reviewed them.',
  )
  const known: Known = new WeakMap()
  const pin = (set: ToolSet): Promise<ToolSet> => pinnedSet(set, { pins, changed, known })
  if (typeof tools.engine !== 'function') return pin(tools as ToolSet)
  const source = tools as ToolSource
  return { ...source, current: async () => pin(await source.current()) }
}

/** Tools that were compared before: a source returns the same ones again and again. */
type Known = WeakMap<object, { readonly name: string; readonly exposed: object | undefined }>

async function pinnedSet(tools: ToolSet, options: Required<PinnedOptions> & { known: Known }): Promise<ToolSet> {
  const { known } = options
  const entries = Object.entries(tools).map(async ([name, tool]): Promise<[string, object][]> => {
    let found = known.get(tool)
    if (found?.name !== name) {
      found = { name, exposed: await exposedTool(name, tool as AnyTool, options) }
      known.set(tool, found)
    }
    return found.exposed ? [[name, found.exposed]] : []
  })
  return Object.fromEntries((await Promise.all(entries)).flat())
}

async function exposedTool(name: string, tool: AnyTool, options: Required<PinnedOptions>): Promise<object | undefined> {
  const { pins, changed } = options
  const pin = Object.hasOwn(pins, name) ? pins[name] : undefined
  if (pin === (await pinOf(name, tool))) return tool
  // A tool that the provider runs would run without asking here.
  return changed === 'ask' && tool.type !== 'provider' ? asking(name, tool, pin === undefined) : undefined
}

/** Returns the tool without its own description, and with an approval for each call. */
async function asking(name: string, tool: AnyTool, isNew: boolean): Promise<object> {
  const schema = compileSchema(tool.inputSchema, `The tool "${name}"`)
  const { title: _, inputExamples: __, ...rest } = tool
  const what = isNew
    ? `The tool "${name}" has not been reviewed yet.`
    : `The tool "${name}" has changed since it was reviewed.`
  return {
    ...rest,
    description: 'The description of this tool is withheld until it has been reviewed.',
    inputSchema: {
      jsonSchema: withoutWords(await schema.json),
      async validate(value: unknown) {
        const checked = await schema.check(value)
        return checked.ok
          ? { success: true, value: checked.value }
          : { success: false, error: new Error(checked.message) }
      },
    },
    approve: approval({ prompt: `${what} Allow this call?`, remember: 'never' }),
  }
}

const words: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'examples', 'default', '$id'])

/** Returns a schema without its descriptions. Members of objects may have any names. */
function withoutWords(schema: JsonSchema): JsonSchema {
  const strip = (value: unknown, isNamed: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => strip(item, false))
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(([key]) => isNamed || !words.has(key))
    return Object.fromEntries(kept.map(([key, member]) => [key, strip(member, !isNamed && holdsNames.has(key))]))
  }
  return strip(schema, false) as JsonSchema
}

/** Schema keywords whose members have arbitrary names. */
const holdsNames: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

/** Digests of tool descriptions, by tool name. Plain JSON, to be stored. */
export type Pins = Readonly<Record<string, string>>

/** Returns the pins of tools as they are now, after you have reviewed them. See `pinned`. */
export async function pinsOf(tools: ToolSet): Promise<Pins> {
  checkArgument(tools, 'tools of pinsOf()', 'an object')
  const entries = Object.entries(tools).map(async ([name, tool]) => [name, await pinOf(name, tool as AnyTool)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns a digest of everything that the model sees of a tool, and of its output schema. */
async function pinOf(name: string, tool: AnyTool): Promise<string> {
  const advice = 'Load the page over HTTPS or from localhost: browsers compute no digests elsewhere.'
  assertOption(globalThis.crypto?.subtle, DEV && `Tools cannot be compared with their pins here. ${advice}`)
  return digestOf(await describedAs(name, tool))
}

/** Returns everything that the model sees of a tool, and its output schema, as a text. */
export async function describedAs(
  name: string,
  { title, description, inputSchema, outputSchema, ...tool }: AnyTool,
): Promise<string> {
  const { type, id, args } = tool
  const schemas = await Promise.all([inputSchema, outputSchema].map((schema) => jsonOf(name, schema)))
  return canonicalJson(toJson([name, title, description, ...schemas, type, id, args]))
}

const jsonOf = async (name: string, schema: unknown): Promise<Json | undefined> =>
  schema === undefined ? undefined : toJson(await compileSchema(schema, `The tool "${name}"`).json)
