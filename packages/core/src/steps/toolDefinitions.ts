import type { LanguageModelV4FunctionTool, LanguageModelV4ProviderTool } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { AgentError, messageOf } from '../error.ts'
import { asPlain, cached, isObject, isPlain } from '../json.ts'
import type { Agent, RunContext } from '../run.ts'
import { isLoading, type JsonSchema, whenLoaded } from '../schema.ts'
import { type ToolSpec, turnCode } from '../tool.ts'

type Definition = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool

const known = new WeakMap<Agent['tools'], Definition[] | Promise<Definition[]>>()

/** Returns the definitions of the agent's tools. Computed once per agent; a promise only while a schema loads. */
export const toolDefinitions = ({ tools }: Pick<Agent, 'tools'>): Definition[] | Promise<Definition[]> =>
  cached(known, tools, () => {
    const definitions = Object.values(tools).map(toDefinition)
    return definitions.some(isLoading) ? Promise.all(definitions) : (definitions as Definition[])
  })

/** Returns the tools that the model sees now, as objects of its own. */
export const modelTools = (definitions: readonly Definition[], run: Seen): Definition[] =>
  offered(definitions, run).map(copyPlain)

/** Copies lists and plain objects. Instances of classes, in the arguments of a provider's tool, stay themselves. */
function copyPlain<T>(value: T): T
function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain)
  if (!isObject(value) || !isPlain(value)) return value
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) if (typeof copy[key] === 'object') copy[key] = copyPlain(copy[key])
  return copy
}

type Seen = Pick<RunContext, 'agent' | 'state' | 'plan'>

/** Returns the tools that the model sees now. */
function offered(definitions: readonly Definition[], run: Seen): readonly Definition[] {
  const { agent, plan } = run
  const shown = plan.tools ? definitions.filter(({ name }) => plan.tools?.includes(name)) : definitions
  const { offer } = turnCode(agent.tools)
  if (!offer) return shown
  const byName = new Map(shown.map((tool) => [tool.name, tool]))
  return offer([...byName.keys()], run).flatMap((name) => byName.get(name) ?? [])
}

const toDefinition = (spec: ToolSpec): Definition | PromiseLike<Definition> =>
  spec.provider
    ? { type: 'provider', name: spec.name, ...spec.provider }
    : whenLoaded(spec.schema.json, (schema) => toFunction(spec, schema))

/** Copies a schema. One that refers to itself could not be sent. */
function treeOf({ name }: ToolSpec, schema: JsonSchema): JsonSchema {
  try {
    return asPlain(schema)
  } catch (error) {
    const message = DEV && `The tool "${name}" has a schema that no model can receive: ${messageOf(error)}`
    throw new AgentError('schema_unsupported', message, { cause: error })
  }
}

const toFunction = (spec: ToolSpec, schema: JsonSchema): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: spec.name,
  inputSchema: treeOf(spec, schema),
  ...(typeof spec.description === 'string' && { description: spec.description }),
  ...(spec.inputExamples && { inputExamples: spec.inputExamples }),
  ...(spec.strict !== undefined && { strict: spec.strict }),
  ...(spec.providerOptions && { providerOptions: spec.providerOptions }),
})
