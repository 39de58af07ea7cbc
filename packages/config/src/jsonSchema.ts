import type { Schema } from '@interleave/core'
import { type JsonSchema, messageOf } from '@interleave/core/internal'
import { z } from 'zod'
import type { Path } from './problem.ts'

/** A schema option, such as `output`: the model receives the JSON Schema, and values are validated by it. */
export const jsonSchema: z.ZodType<Schema> = z.record(z.string(), z.unknown()).transform((json, context) => {
  const faults = unchecked(json)
  for (const { at, message } of faults) context.issues.push({ code: 'custom', message, input: json, path: [...at] })
  if (faults.length > 0) return z.NEVER
  try {
    return toSchema(json)
  } catch (error) {
    const message = `This JSON Schema cannot be used: ${messageOf(error)}.`
    context.issues.push({ code: 'custom', message, input: json })
    return z.NEVER
  }
})

/** Creates a Standard Schema whose JSON Schema is exactly this one. */
function toSchema(json: JsonSchema): Schema {
  // The name of the definitions reveals the version of a schema without `$schema`.
  const defaultTarget = '$defs' in json ? 'draft-2020-12' : 'draft-7'
  const checked = z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema, { defaultTarget })
  const { validate, version } = checked['~standard']
  const standard = { version, vendor: 'interleave', validate, jsonSchema: { input: () => json } }
  return Object.freeze({ '~standard': standard }) as Schema
}

/** A part of a JSON Schema that validates no value. */
interface Unchecked {
  readonly at: Path
  readonly message: string
}

/** Finds parts of a JSON Schema that have no effect or reject everything, which is rarely intended. */
function unchecked(schema: unknown, at: Path = []): readonly Unchecked[] {
  if (typeof schema !== 'object' || schema === null) return []
  const message = schemaFault(schema as Readonly<Record<string, unknown>>)
  return [
    ...(message ? [{ at, message }] : []),
    ...innerOf(schema as Readonly<Record<string, unknown>>).flatMap(([path, inner]) =>
      unchecked(inner, [...at, ...path]),
    ),
  ]
}

function schemaFault({
  type,
  properties,
  items,
  required,
  const: only,
  enum: values,
}: Readonly<Record<string, unknown>>) {
  if (type === undefined && (properties ?? items) !== undefined) {
    return 'A schema with properties needs `type: object`, and one with items `type: array`.'
  }
  const named = typeof properties === 'object' && properties !== null ? properties : {}
  const unknown = Array.isArray(required) ? required.find((name) => !Object.hasOwn(named, name)) : undefined
  if (unknown !== undefined)
    return `"${unknown}" is required but not a property. Add it to \`properties\`, with its type.`
  const compound = [only, ...(Array.isArray(values) ? values : [])].some((value) => typeof value === 'object' && value)
  return compound ? 'Only strings, numbers, true, false and null can be a const or part of an enum.' : undefined
}

type Inner = readonly [Path, unknown]

/** Returns the schemas in a schema, and their positions. */
function innerOf(schema: Readonly<Record<string, unknown>>): readonly Inner[] {
  const single = ['items', 'additionalProperties'].map((key): Inner => [[key], schema[key]])
  const many = ['properties', 'definitions', '$defs', 'anyOf', 'oneOf', 'allOf'].flatMap((key) =>
    groupMembers(schema[key]).map(([name, inner]): Inner => [[key, name], inner]),
  )
  return [...single, ...many]
}

function groupMembers(group: unknown): readonly (readonly [PropertyKey, unknown])[] {
  if (Array.isArray(group)) return [...group.entries()]
  return typeof group === 'object' && group !== null ? Object.entries(group) : []
}
