import { canonicalJson } from '../canonicalJson.ts'
import { type Json, toJson } from '../json.ts'
import { compileSchema } from '../schema.ts'
import type { AnyTool, ToolSet } from '../tool.ts'

/** What tools said of themselves, as digests by the names of the tools. Plain JSON, to be kept. */
export type Pins = Readonly<Record<string, string>>

/** The pins of tools as they are now, for when somebody has looked at them. See `pinned`. */
export async function pinsOf(tools: ToolSet): Promise<Pins> {
  const entries = Object.entries(tools).map(async ([name, tool]) => [name, await pinOf(name, tool as AnyTool)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** A digest of all that a model is told of a tool, and of what it gives. */
export async function pinOf(
  name: string,
  { title, description, inputSchema, outputSchema, ...tool }: AnyTool,
): Promise<string> {
  const { type, id, args } = tool
  const schemas = await Promise.all([inputSchema, outputSchema].map((schema) => jsonOf(name, schema)))
  const told = canonicalJson(toJson([name, title, description, ...schemas, type, id, args]))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(told))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const jsonOf = async (name: string, schema: unknown): Promise<Json | undefined> =>
  schema === undefined ? undefined : toJson(await compileSchema(schema, `The tool "${name}"`).json)
