import type { JSONSchema7 } from '@ai-sdk/provider'
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { DEV } from '#checks'
import { AgentError, messageOf } from '../error.ts'
import { asPlain, cached, isObject, type Json, toJson } from '../json.ts'
import { type Budget, boundedSchema, patternOf, TooCostly } from './bounded.ts'
import { PatternTooCostly } from './pattern.ts'

type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }
type Check = (value: unknown) => Checked

const checks = new WeakMap<object, Check>()

/** Checks a value, as JSON, by all keywords of a JSON Schema, in limited time. */
export const checkByKeywords = (schema: JSONSchema7, value: unknown, owner: string): Checked =>
  cached(checks, schema, () => checkerOf(schema, owner))(value)

/** The number of visited schemas in one check. A model's input has at most 65,536 characters. */
const mostVisits = 300_000
/** The number of items that are compared with each other. */
const mostUnique = 3_000
/** The length of names that are matched with patterns. */
const longestName = 1_000

function checkerOf(schema: JSONSchema7, owner: string): Check {
  const budget: Budget = { left: mostVisits }
  const unsupported = (error: unknown): AgentError =>
    new AgentError(
      'schema_unsupported',
      DEV && `${owner} has a JSON Schema that cannot be checked: ${reasonOf(error)}.`,
      {
        cause: error,
      },
    )
  let validator: Validator
  try {
    validator = new Validator(boundedSchema(asPlain(schema), budget) as object, draftOf(schema), false)
  } catch (error) {
    throw unsupported(error)
  }
  const text = JSON.stringify(schema)
  const limits = { unique: text.includes('"uniqueItems"'), names: text.includes('"patternProperties"') }
  return (value) => {
    budget.left = mostVisits
    const plain = toJson(value)
    if (isTooLarge(plain, limits)) return tooLarge
    try {
      const { valid, errors } = validator.validate(plain)
      return valid ? { ok: true, value } : { ok: false, message: describeErrors(errors, plain) }
    } catch (error) {
      // Deep schemas that refer to themselves exceed the stack before the limit.
      if (error instanceof TooCostly || error instanceof PatternTooCostly || error instanceof RangeError)
        return tooLarge
      throw unsupported(error)
    }
  }
}

const tooLarge: Checked = { ok: false, message: 'it takes too long to check it against the schema' }

const reasonOf = (error: unknown): string => messageOf(error).split('\n')[0]?.trimEnd().replace(/\.$/, '') ?? ''

/** Returns the draft of a schema. In those before 2019 a `$ref` replaces the keywords next to it. */
const draftOf = ({ $schema }: JSONSchema7): '7' | '2020-12' => (/draft-0[3-7]/.test(String($schema)) ? '7' : '2020-12')

function isTooLarge(value: Json | undefined, limits: { readonly unique: boolean; readonly names: boolean }): boolean {
  if (!limits.unique && !limits.names) return false
  if (Array.isArray(value))
    return (limits.unique && value.length > mostUnique) || value.some((item) => isTooLarge(item, limits))
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([key, member]) => (limits.names && key.length > longestName) || isTooLarge(member, limits),
  )
}

const mostErrors = 10
const longestError = 300

/** Keywords whose error only says that others follow. */
const outer = new Set(
  '$ref properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems allOf dependentSchemas if propertyNames'.split(
    ' ',
  ),
)

/** Formats the errors for models and forms, with the path to each wrong member. */
function describeErrors(errors: readonly OutputUnit[], value: unknown): string {
  const shown = new Set<string>()
  const own = errors.filter(({ keyword }) => !outer.has(keyword))
  for (const error of own) {
    if (shown.size === mostErrors) break
    const path = pathOf(error.instanceLocation)
    const message = wordsOf(error, memberAt(value, path)).slice(0, longestError)
    shown.add(path.length > 0 ? `${path.join('.')}: ${message}` : message)
  }
  return [...shown].join('; ') || 'it does not fit'
}

function pathOf(location: string): string[] {
  const [, ...keys] = location.split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const memberAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce(
    (at: unknown, key) => (typeof at === 'object' ? (at as Record<string, unknown> | null)?.[key] : at),
    value,
  )

function wordsOf({ keyword, error }: OutputUnit, value: unknown): string {
  if (keyword === 'false') return 'is not allowed here'
  if (keyword === 'type') {
    const wanted = [...(error.split('Expected')[1] ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name)
    return `expected ${wanted.join(' or ')}, and this is ${kindOf(value)}`
  }
  const pattern = keyword === 'format' ? patternOf(error.slice(error.indexOf('format "') + 8, -2)) : undefined
  if (pattern !== undefined) return `does not match the pattern ${pattern}`
  return error
    .replace(/^(?:Instance|String|Array) /, '')
    .replace(/ \(\d+ matches\)/, '')
    .replace('is less than', keyword === 'exclusiveMinimum' ? 'is not greater than' : 'is less than')
    .replace(/\.$/, '')
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  const kind = Array.isArray(value) ? 'array' : typeof value
  return /^[ao]/.test(kind) ? `an ${kind}` : `a ${kind}`
}
