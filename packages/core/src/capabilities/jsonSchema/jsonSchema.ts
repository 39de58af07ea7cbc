import type { JSONSchema7 } from '@ai-sdk/provider'
import { checkArgument } from '#checks'
import { checkByKeywords } from '../../jsonSchema/check.ts'
import type { Checked, WrappedSchema } from '../../schema.ts'

/**
 * A JSON Schema of draft 7 or 2020-12 as a schema: `inputSchema: jsonSchema({ type: 'object', … })`. Values are checked by
 * all of its keywords, in limited time. The AI SDK's function of this name works too; its schemas load the validator with
 * the first check.
 */
export function jsonSchema<T = unknown>(json: JSONSchema7): WrappedSchema<T> {
  checkArgument(json, 'schema of jsonSchema()', 'an object')
  return {
    jsonSchema: json,
    validate(value) {
      const checked: Checked = checkByKeywords(json, value, 'jsonSchema()')
      return checked.ok
        ? { success: true, value: checked.value as T }
        : { success: false, error: new Error(checked.message) }
    },
  } as WrappedSchema<T>
}
