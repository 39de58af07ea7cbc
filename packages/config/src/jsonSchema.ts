import type { Schema } from '@interleave/core'
import type { JsonSchema } from '@interleave/core/internal'
import { messageOf } from '@interleave/core/internal'
import { z } from 'zod'
import { unchecked } from './unchecked.ts'

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

/** A Standard Schema that says itself as exactly this JSON Schema. */
function toSchema(json: JsonSchema): Schema {
  // Without a word on its version, the place of its definitions tells it.
  const defaultTarget = '$defs' in json ? 'draft-2020-12' : 'draft-7'
  const checked = z.fromJSONSchema(json as z.core.JSONSchema.JSONSchema, { defaultTarget })
  const { validate, version } = checked['~standard']
  const standard = { version, vendor: 'interleave', validate, jsonSchema: { input: () => json } }
  return Object.freeze({ '~standard': standard }) as Schema
}
