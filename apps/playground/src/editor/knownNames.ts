import { configSchema } from '@interleave/config'
import type { Agent } from '@interleave/core'
import { agentFrom } from '../agents/agentFrom.ts'
import { toolRegistry } from '../agents/toolRegistry.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'

/** A name that the file of an agent may use, and its options. */
export interface KnownName {
  readonly name: string
  readonly options: readonly string[]
}

export interface KnownNames {
  readonly title: string
  readonly names: readonly KnownName[]
}

/** The part of JSON Schema that the format of agents uses. */
interface Schema {
  readonly $ref?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly definitions?: Readonly<Record<string, Schema>>
}

const fields = { model: 'Models', tools: 'Tools', backend: 'Steps and backends', prices: 'Functions' } as const

/** Returns the names that the schema of a config allows, by their meaning. */
export function knownNames(schema: object): readonly KnownNames[] {
  const root = schema as Schema
  const agent = root.properties?.agents?.additionalProperties
  const known = typeof agent === 'object' ? (agent.properties ?? {}) : {}
  return Object.entries(fields).map(([field, title]) => ({ title, names: namesIn(known[field] ?? {}, root) }))
}

function namesIn(field: Schema, root: Schema): KnownName[] {
  const branches = branchesOf(field, root)
  const names = branches.flatMap((branch) => branch.enum ?? [])
  const withOptions = branches.find(({ properties }) => names.some((name) => properties?.[name]))
  const all = [...new Set([...names, ...Object.keys(withOptions?.properties ?? {})])]
  return all.map((name) => ({ name, options: optionsIn(withOptions?.properties?.[name] ?? {}, root) }))
}

/** Returns the names of options; none for a step that takes a list or another name. */
const optionsIn = (schema: Schema, root: Schema): string[] =>
  schema.items ? [] : branchesOf(schema, root).flatMap(({ properties = {} }) => Object.keys(properties))

/** The forms that a value may have: through references, and through lists to what is in them. */
function branchesOf(schema: Schema, root: Schema): Schema[] {
  const { $ref, anyOf = [], allOf = [], items } = schema
  const target = $ref && root.definitions?.[$ref.replace('#/definitions/', '')]
  const inner = [...(target ? [target] : []), ...anyOf, ...allOf, ...(items ? [items] : [])]
  return inner.length === 0 ? [schema] : inner.flatMap((branch) => branchesOf(branch, root))
}

export type KnownTool = Agent['tools'][string]

/** The tools that an agent of this page may have by their bare names, as its runs have them. */
export function knownTools(): readonly KnownTool[] {
  const model = demoPlanner()
  const names = knownNames(configSchema(toolRegistry({ model }))).find(({ title }) => title === 'Tools')?.names ?? []
  return names.flatMap(({ name }) => {
    try {
      const file = JSON.stringify({ interleave: 1, agents: { one: { model: 'chosen', tools: [name] } } })
      return agentFrom(file, { model }).tools[name] ?? []
    } catch {
      // It takes options, which are written in the file.
      return []
    }
  })
}
