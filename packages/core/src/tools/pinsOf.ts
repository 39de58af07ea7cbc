import { canonicalJson } from '../canonicalJson.ts'
import { type Json, toJson } from '../json.ts'
import { compileSchema } from '../schema.ts'
import type { AnyTool, ToolSet } from '../tool.ts'

/** Digests of tool descriptions, by tool name. Plain JSON, to be stored. */
export type Pins = Readonly<Record<string, string>>

/** Returns the pins of tools as they are now, after you have reviewed them. See `pinned`. */
export async function pinsOf(tools: ToolSet): Promise<Pins> {
  const entries = Object.entries(tools).map(async ([name, tool]) => [name, await pinOf(name, tool as AnyTool)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns a digest of everything that the model sees of a tool, and of its output schema. */
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
