import type { JSONSchema7 } from '@ai-sdk/provider'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DEV, schemaAdvice } from '#checks'
import { AgentError, type ErrorCode, messageOf } from './error.ts'
import { cached, isObject } from './json.ts'

/** A schema of any library that implements Standard Schema, such as zod, valibot and arktype, or the AI SDK's `jsonSchema()`. */
export type Schema<Output = unknown, Input = unknown> = StandardSchemaV1<Input, Output> | WrappedSchema<Output>
export type JsonSchema = JSONSchema7

/** The AI SDK's own wrapper, as `jsonSchema()` and `zodSchema()` return it. */
export interface WrappedSchema<Output = unknown> {
  /** For inference only; never set. */
  readonly _type: Output
  readonly jsonSchema: JsonSchema | PromiseLike<JsonSchema>
  readonly validate?: (value: unknown) => WrappedResult<Output> | PromiseLike<WrappedResult<Output>>
}
type WrappedResult<Output = unknown> = { success: true; value: Output } | { success: false; error: Error }

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly code?: ErrorCode }

/** The parts of a schema that the engine needs, from any library. */
export interface CompiledSchema {
  /** The JSON Schema, for the model and for forms. Computed at first access. */
  readonly json: JsonSchema | PromiseLike<JsonSchema>
  check(value: unknown): Checked | PromiseLike<Checked>
}

interface StandardProps {
  readonly vendor: string
  readonly validate: (value: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>
  readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> }
}

/**
 * Makes a schema by hand, so that the core needs no schema library. `read` returns undefined for a value that does not
 * fit.
 */
export function schemaBy<T>(
  json: JsonSchema,
  read: (value: unknown) => T | undefined,
  problem = '',
): StandardSchemaV1<T, T> {
  const validate = (given: unknown): StandardSchemaV1.Result<T> => {
    const value = read(given)
    return value === undefined ? { issues: [{ message: problem }] } : { value }
  }
  const props = { version: 1, vendor: 'interleave', validate, jsonSchema: { input: () => json } } as const
  return { '~standard': props }
}

/** Accepts every value unchanged. */
export const accept = (value: unknown): Checked => ({ ok: true, value })

/** Returns true for a promise of a schema. JSON Schema has a keyword `then`, so having one does not make a promise. */
export const isLoading = <T extends object>(json: T | PromiseLike<T>): json is PromiseLike<T> =>
  'then' in json && typeof json.then === 'function'

/** Converts a JSON Schema, immediately if it is loaded. */
export const whenLoaded = <T>(json: CompiledSchema['json'], make: (schema: JsonSchema) => T): T | PromiseLike<T> =>
  isLoading(json) ? json.then(make) : make(json)

const compiled = new WeakMap<object, CompiledSchema>()

/** Compiles a Standard Schema, the AI SDK's `jsonSchema()`, or a function that returns one. Once per object. */
export function compileSchema(schema: unknown, owner: string): CompiledSchema {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) throw unsupported(owner)
  return cached(compiled, schema, () => compile(schema, owner))
}

function compile(schema: object, owner: string): CompiledSchema {
  if ('~standard' in schema) return compileStandard(schema['~standard'] as StandardProps, owner)
  if ('jsonSchema' in schema) return compileWrapped(schema as WrappedSchema, owner)
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
          DEV && `${owner} has a schema (${standard.vendor}) without JSON Schema. ${schemaAdvice(standard.vendor)}`,
        )
      }
      json ??= convert(standard.jsonSchema, owner)
      return json
    },
    check(value: unknown): Checked | PromiseLike<Checked> {
      return whenGiven(standard.validate(value), toChecked, owner)
    },
  }
}

function convert({ input }: NonNullable<StandardProps['jsonSchema']>, owner: string): JsonSchema {
  try {
    const json: unknown = input({ target: 'draft-07' })
    if (!isObject(json) || isLoading(json)) throw new TypeError('it must be an object, not a promise')
    return closeObjects(json)
  } catch (error) {
    throw new AgentError(
      'schema_unsupported',
      DEV && `${owner} has a schema that is not JSON Schema: ${messageOf(error)}.`,
      {
        cause: error,
      },
    )
  }
}

function compileWrapped(schema: WrappedSchema, owner: string): CompiledSchema {
  return {
    get json(): JsonSchema | PromiseLike<JsonSchema> {
      const { jsonSchema } = schema
      if (typeof jsonSchema !== 'object' || jsonSchema === null) throw unsupported(owner)
      return jsonSchema
    },
    check(value: unknown): Checked | PromiseLike<Checked> {
      const { jsonSchema } = schema
      if (schema.validate) return whenGiven(schema.validate(value), unwrap, owner)
      const check = (json: JsonSchema): Checked | Promise<Checked> => checkByKeywords(json, value, owner)
      return isLoading(jsonSchema) ? jsonSchema.then(check) : check(jsonSchema)
    },
  }
}

/** Reads the result of a schema, also a promise of another frame. Throws without a result: the value is not valid. */
function whenGiven<Result extends object>(
  given: Result | PromiseLike<Result>,
  read: (result: Result) => Checked | undefined,
  owner: string,
): Checked | PromiseLike<Checked> {
  if (typeof given === 'object' && given !== null && isLoading(given))
    return given.then((result) => whenGiven(result, read, owner))
  const checked = typeof given === 'object' && given !== null ? read(given) : undefined
  if (checked) return checked
  throw new AgentError(
    'schema_unsupported',
    DEV && `${owner} has a schema whose validation returned no result. Let it return { value } or { issues }.`,
  )
}

let validator: typeof import('./jsonSchema/check.ts') | undefined

/**
 * Checks a value by the keywords of a schema without a validation function. The validator is loaded with the first of
 * them: agents whose schemas check by themselves never load it.
 */
function checkByKeywords(json: JsonSchema, value: unknown, owner: string): Checked | Promise<Checked> {
  if (validator) return validator.checkByKeywords(json, value, owner)
  return loadValidator(owner).then((loaded) => loaded.checkByKeywords(json, value, owner))
}

async function loadValidator(owner: string): Promise<NonNullable<typeof validator>> {
  try {
    validator ??= await import('./jsonSchema/check.ts')
    return validator
  } catch (error) {
    throw new AgentError(
      'schema_unsupported',
      DEV &&
        `${owner} has a JSON Schema, and the validator for it could not be loaded: ${messageOf(error)}. Deploy all files of the app, or use a zod schema.`,
      { cause: error },
    )
  }
}

const unwrap = (result: WrappedResult): Checked =>
  result.success ? accept(result.value) : { ok: false, message: messageOf(result.error) }

function toChecked(result: StandardSchemaV1.Result<unknown>): Checked | undefined {
  if (result.issues) return { ok: false, message: describeIssues(result.issues) }
  return 'value' in result ? accept(result.value) : undefined
}

const maxIssues = 50

/**
 * Formats the issues of a schema. They come from the schema's library or from the app, so they may be of any kind and
 * number.
 */
function describeIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  const shown: string[] = []
  for (let i = 0; i < issues.length && i < maxIssues; i++) shown.push(describeIssue(issues[i]))
  return issues.length > maxIssues ? `${shown.join('; ')}; and ${issues.length - maxIssues} more` : shown.join('; ')
}

function describeIssue(issue: StandardSchemaV1.Issue | undefined): string {
  const keys = Array.from((issue?.path ?? []).slice(0, maxIssues), (part) =>
    wordsOf(typeof part === 'object' ? part.key : part),
  )
  const message = wordsOf(issue?.message)
  return keys.length > 0 ? `${keys.join('.')}: ${message}` : message
}

const wordsOf = (value: unknown): string =>
  typeof value === 'object' || typeof value === 'function' ? messageOf(value) : String(value)

/**
 * Closes objects without `additionalProperties`, as strict tools require. Not in `allOf`: no value would fit all parts.
 */
function closeObjects(schema: JsonSchema): JsonSchema {
  const closed: Record<string, unknown> = { ...schema }
  for (const key of ['items', 'anyOf', 'oneOf', 'additionalProperties'])
    if (closed[key]) closed[key] = close(closed[key])
  for (const key of ['properties', 'definitions']) if (closed[key]) closed[key] = mapValues(closed[key], close)
  if ([schema.type].flat().includes('object') && typeof schema.additionalProperties !== 'object') {
    closed.additionalProperties = false
  }
  return closed
}

/** Closes a schema, or several of them. `true` and `false` are schemas too. */
const close = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(close) : typeof value === 'object' ? closeObjects(value as JsonSchema) : value

const mapValues = (object: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

const unsupported = (owner: string): AgentError =>
  new AgentError('schema_unsupported', DEV && `${owner} needs a schema, such as z.object({ … }) or jsonSchema().`)

/** Returns the type of a value as JSON Schema names it. A whole number is a `number` here. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
