import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from '@ai-sdk/provider'
import type { Agent } from '../run.ts'
import { isLoading, type JsonSchema } from '../schema.ts'
import type { ToolSpec } from '../tool.ts'

type Definition = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool

const known = new WeakMap<Agent['tools'], Definition[] | Promise<Definition[]>>()

/** The tools as the model is told of them. Made once per agent; a promise only if a schema is still being loaded. */
export function toolDefinitions({ tools }: Pick<Agent, 'tools'>): Definition[] | Promise<Definition[]> {
  const made = known.get(tools)
  if (made) return made
  const definitions = Object.values(tools).map(toDefinition)
  const ready = definitions.some((definition) => definition instanceof Promise)
    ? Promise.all(definitions)
    : (definitions as Definition[])
  known.set(tools, ready)
  return ready
}

function toDefinition(spec: ToolSpec): Definition | Promise<Definition> {
  if (spec.provider) return { type: 'provider', name: spec.name, ...spec.provider }
  const { json } = spec.schema
  return isLoading(json) ? Promise.resolve(json).then((schema) => toFunction(spec, schema)) : toFunction(spec, json)
}

const toFunction = (spec: ToolSpec, inputSchema: JsonSchema): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: spec.name,
  inputSchema,
  ...(typeof spec.description === 'string' && { description: spec.description }),
  ...(spec.strict !== undefined && { strict: spec.strict }),
  ...(spec.providerOptions && { providerOptions: spec.providerOptions }),
})
