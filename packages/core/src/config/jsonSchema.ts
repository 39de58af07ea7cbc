import { z } from 'zod'
import { messageOf } from '../error.ts'
import type { JsonSchema, Schema } from '../schema.ts'

/** A schema option, such as `output`: the model is told the JSON Schema as it stands, and values are checked by it. */
export const jsonSchema: z.ZodType<Schema> = z.record(z.string(), z.unknown()).transform((json, context) => {
  const untyped = withoutType(json, [])
  if (untyped) {
    const message = 'A schema with properties needs `type: object`, and one with items `type: array`.'
    context.issues.push({ code: 'custom', message, input: json, path: untyped })
    return z.NEVER
  }
  try {
    return toSchema(json)
  } catch (error) {
    const message = `This JSON Schema cannot be used: ${messageOf(error)}.`
    context.issues.push({ code: 'custom', message, input: json })
    return z.NEVER
  }
})

/** A Standard Schema that says itself as exactly this JSON Schema. */
function toSchema(json: JsonSchema): Schema {
  const checked = z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema, { defaultTarget: 'draft-7' })
  const { validate, version } = checked['~standard']
  const standard = { version, vendor: 'interleave', validate, jsonSchema: { input: () => json } }
  return Object.freeze({ '~standard': standard }) as Schema
}

/** Without a type, `properties` and `items` say nothing about other values, which is hardly ever meant. */
function withoutType(schema: unknown, path: readonly string[]): string[] | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { type, properties, items, definitions, $defs } = schema as Record<string, unknown>
  if (type === undefined && (properties ?? items) !== undefined) return [...path]
  for (const [name, group] of Object.entries({ properties, definitions, $defs })) {
    for (const [key, member] of Object.entries(group ?? {})) {
      const found = withoutType(member, [...path, name, key])
      if (found) return found
    }
  }
  return withoutType(items, [...path, 'items'])
}
