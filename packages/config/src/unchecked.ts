import type { Path } from './problem.ts'

/** A place in a JSON Schema that says something by which no value would be checked. */
export interface Unchecked {
  readonly at: Path
  readonly message: string
}

/** Finds parts of a JSON Schema that have no effect or reject everything, which is rarely intended. */
export function unchecked(schema: unknown, at: Path = []): readonly Unchecked[] {
  if (typeof schema !== 'object' || schema === null) return []
  const message = faultOf(schema as Readonly<Record<string, unknown>>)
  const below = innerOf(schema as Readonly<Record<string, unknown>>)
  return [
    ...(message ? [{ at, message }] : []),
    ...below.flatMap(([path, inner]) => unchecked(inner, [...at, ...path])),
  ]
}

function faultOf({ type, properties, items, required, const: only, enum: values }: Readonly<Record<string, unknown>>) {
  if (type === undefined && (properties ?? items) !== undefined) {
    return 'A schema with properties needs `type: object`, and one with items `type: array`.'
  }
  const named = typeof properties === 'object' && properties !== null ? properties : {}
  const unknown = Array.isArray(required) ? required.find((name) => !Object.hasOwn(named, name)) : undefined
  if (unknown !== undefined)
    return `"${unknown}" is required and no property. Give it a place in properties, with its type.`
  const compound = [only, ...(Array.isArray(values) ? values : [])].some((value) => typeof value === 'object' && value)
  return compound ? 'Only texts, numbers, true, false and null can be a const or part of an enum.' : undefined
}

type Inner = readonly [Path, unknown]

/** The schemas in a schema, and where. */
function innerOf(schema: Readonly<Record<string, unknown>>): readonly Inner[] {
  const single = ['items', 'additionalProperties'].map((key): Inner => [[key], schema[key]])
  const many = ['properties', 'definitions', '$defs', 'anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    membersOf(schema[key]).map(([name, inner]): Inner => [[key, name], inner]),
  )
  return [...single, ...many]
}

function membersOf(group: unknown): readonly (readonly [PropertyKey, unknown])[] {
  if (Array.isArray(group)) return [...group.entries()]
  return typeof group === 'object' && group !== null ? Object.entries(group) : []
}
