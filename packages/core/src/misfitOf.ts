import { isObject } from './json.ts'

/** Deeper values and further ones are not checked. */
const maxDepth = 16
const maxValues = 10_000

interface Checking {
  readonly path: string
  readonly depth: number
  readonly spent: { values: number }
}

/**
 * Returns how a value does not fit a JSON Schema, or undefined if nothing is wrong. Checks the types, the required members, and
 * `enum` and `const` where they list plain values. What it does not know, such as `$ref` and `anyOf`, it accepts.
 */
export const misfitOf = (value: unknown, schema: unknown): string | undefined =>
  misfit(value, schema, { path: '', depth: 0, spent: { values: 0 } })

function misfit(value: unknown, schema: unknown, checking: Checking): string | undefined {
  const { path, depth, spent } = checking
  if (schema === false) return `${path || 'The value'} is not allowed`
  if (!isObject(schema) || depth > maxDepth || ++spent.values > maxValues) return undefined
  if (value === null && schema.nullable === true) return undefined
  const wrong = wrongType(value, schema.type) ?? wrongValue(value, schema)
  if (wrong !== undefined) return `${path ? `${path}: ` : ''}${wrong}`
  if (Array.isArray(value)) return misfitOfItems(value, schema, checking)
  return isObject(value) ? misfitOfMembers(value, schema, checking) : undefined
}

function misfitOfMembers(
  value: Readonly<Record<string, unknown>>,
  { required, properties }: Readonly<Record<string, unknown>>,
  checking: Checking,
): string | undefined {
  const missing = (Array.isArray(required) ? required : []).find(
    (key) => typeof key === 'string' && (!Object.hasOwn(value, key) || value[key] === undefined),
  )
  if (missing !== undefined) return `${checking.path ? `${checking.path}: ` : ''}\`${String(missing)}\` is missing`
  if (!isObject(properties)) return undefined
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined || !Object.hasOwn(properties, key)) continue
    const wrong = misfit(member, properties[key], below(checking, key))
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function misfitOfItems(
  value: readonly unknown[],
  { items }: Readonly<Record<string, unknown>>,
  checking: Checking,
): string | undefined {
  if (!isObject(items)) return undefined
  for (const [index, item] of value.entries()) {
    if (checking.spent.values > maxValues) return undefined
    const wrong = misfit(item, items, below(checking, String(index)))
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const below = ({ path, depth, spent }: Checking, key: string): Checking => ({
  path: path ? `${path}.${key}` : key,
  depth: depth + 1,
  spent,
})

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function wrongType(value: unknown, type: unknown): string | undefined {
  const wanted = [type].flat().filter((name) => typeof name === 'string' && Object.hasOwn(types, name)) as string[]
  if (wanted.length === 0 || wanted.length < [type].flat().length) return undefined
  if (wanted.some((name) => types[name]?.(value))) return undefined
  return `expected ${wanted.join(' or ')}, and this is ${nameOf(value)}`
}

function wrongValue(value: unknown, schema: Readonly<Record<string, unknown>>): string | undefined {
  const allowed = 'const' in schema ? [schema.const] : schema.enum
  if (!Array.isArray(allowed) || allowed.some((each) => typeof each === 'object' && each !== null)) return undefined
  if (allowed.includes(value)) return undefined
  const listed = allowed.slice(0, 20).map((each) => JSON.stringify(each))
  return `expected ${listed.join(' or ')}${allowed.length > 20 ? ' or another of the list' : ''}`
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
