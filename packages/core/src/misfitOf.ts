import { isObject } from './json.ts'

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/**
 * Returns how a value does not fit the type that a JSON Schema has for it as a whole, or undefined if it does. Members are left to the
 * tool: many schemas in use say something else of them than the tool takes.
 */
export function misfitOf(value: unknown, schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined
  const { type = isObject(schema.properties) ? 'object' : [] } = schema
  const wanted = [type].flat()
  const known = wanted.every((name) => typeof name === 'string' && Object.hasOwn(types, name))
  if (wanted.length === 0 || !known || wanted.some((name) => types[String(name)]?.(value))) return undefined
  return `expected ${wanted.join(' or ')}, and this is ${nameOf(value)}`
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
