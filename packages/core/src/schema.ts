import type { JSONSchema7 } from '@ai-sdk/provider'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { AgentError, messageOf } from './error.ts'

/** A schema of any library that implements Standard Schema: zod, valibot, arktype and others. */
export type Schema<Output = unknown> = StandardSchemaV1<unknown, Output>
export type JsonSchema = JSONSchema7

export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

/** What the engine needs of a schema, whichever library made it. */
export interface CompiledSchema {
  /** As JSON Schema, for the model and for forms. Made once, when it is first asked for. */
  readonly json: JsonSchema | PromiseLike<JsonSchema>
  check(value: unknown): Checked | PromiseLike<Checked>
}

/** The AI SDK's own wrapper, as `jsonSchema()` and `zodSchema()` return it. */
interface WrappedSchema {
  readonly jsonSchema: JsonSchema | PromiseLike<JsonSchema>
  readonly validate?: (value: unknown) => WrappedResult | PromiseLike<WrappedResult>
}
type WrappedResult = { success: true; value: unknown } | { success: false; error: Error }

interface StandardProps {
  readonly vendor: string
  readonly validate: (value: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>
  readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> }
}

/** JSON Schema has a keyword `then`, so having one does not make a promise. */
export const isLoading = (json: CompiledSchema['json']): json is PromiseLike<JsonSchema> =>
  'then' in json && typeof json.then === 'function'

const compiled = new WeakMap<object, CompiledSchema>()

/**
 * Takes a Standard Schema, the AI SDK's `jsonSchema()`, or a function that returns one of them. Compiled once per schema
 * object, however many agents use it.
 */
export function compileSchema(schema: unknown, owner: string): CompiledSchema {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) throw unsupported(owner)
  const known = compiled.get(schema)
  if (known) return known
  const made = compile(schema, owner)
  compiled.set(schema, made)
  return made
}

function compile(schema: object, owner: string): CompiledSchema {
  if ('~standard' in schema) return compileStandard(schema['~standard'] as StandardProps, owner)
  if ('jsonSchema' in schema) return compileWrapped(schema as WrappedSchema)
  if (typeof schema === 'function') return compileSchema(schema(), owner)
  throw unsupported(owner)
}

function compileStandard(standard: StandardProps, owner: string): CompiledSchema {
  let json: JsonSchema | undefined
  return {
    get json(): JsonSchema {
      if (!standard.jsonSchema) {
        throw new AgentError(
          'schema_unsupported',
          `${owner} has a schema (${standard.vendor}) that cannot say itself as JSON Schema. Use zod 4.2 or later, another ` +
            `library with Standard JSON Schema, or wrap it with the AI SDK's jsonSchema().`,
        )
      }
      json ??= closeObjects(convert(standard.jsonSchema, owner))
      return json
    },
    check(value: unknown): Checked | PromiseLike<Checked> {
      const result = standard.validate(value)
      return result instanceof Promise ? result.then(toChecked) : toChecked(result)
    },
  }
}

function convert({ input }: NonNullable<StandardProps['jsonSchema']>, owner: string): JsonSchema {
  try {
    return input({ target: 'draft-07' }) as JsonSchema
  } catch (error) {
    throw new AgentError('schema_unsupported', `${owner} has a schema that is not JSON Schema: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

function compileWrapped(schema: WrappedSchema): CompiledSchema {
  return {
    get json(): JsonSchema | PromiseLike<JsonSchema> {
      return schema.jsonSchema
    },
    check(value: unknown): Checked | PromiseLike<Checked> {
      if (!schema.validate) return { ok: true, value }
      const result = schema.validate(value)
      return 'then' in result ? result.then(unwrap) : unwrap(result)
    },
  }
}

const unwrap = (result: WrappedResult): Checked =>
  result.success ? { ok: true, value: result.value } : { ok: false, message: result.error.message }

function toChecked(result: StandardSchemaV1.Result<unknown>): Checked {
  if (!result.issues) return { ok: true, value: result.value }
  return { ok: false, message: result.issues.map(describeIssue).join('; ') }
}

function describeIssue({ message, path }: StandardSchemaV1.Issue): string {
  const at = path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return at ? `${at}: ${message}` : message
}

/**
 * Providers with strict tools want `additionalProperties: false` on every object that does not say otherwise. Not in
 * `allOf`: a value has to fit all of its parts, and would fit none that is closed to the others.
 */
function closeObjects(schema: JsonSchema): JsonSchema {
  const visit = <T extends JsonSchema | boolean>(value: T): T =>
    (typeof value === 'object' ? closeObjects(value) : value) as T
  const closed: JsonSchema = { ...schema }
  if (closed.type === 'object' || (Array.isArray(closed.type) && closed.type.includes('object'))) {
    const rest = closed.additionalProperties
    closed.additionalProperties = typeof rest === 'object' ? closeObjects(rest) : false
  }
  if (closed.properties) closed.properties = mapValues(closed.properties, visit)
  if (closed.definitions) closed.definitions = mapValues(closed.definitions, visit)
  if (closed.items) closed.items = Array.isArray(closed.items) ? closed.items.map(visit) : visit(closed.items)
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = closed[key]
    if (branches) closed[key] = branches.map(visit)
  }
  return closed
}

const mapValues = <T>(object: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

const unsupported = (owner: string): AgentError =>
  new AgentError(
    'schema_unsupported',
    `${owner} needs a schema: a zod (or other Standard Schema) object, or jsonSchema().`,
  )
