import { isObject, type JsonSchema } from '@interleave/core/internal'

type Definition = JsonSchema | boolean

/** Returns true for a schema with members. Those of servers and pages may have anything in them. */
export const isSchema = (given: unknown): given is JsonSchema => isObject(given)

/** Returns a JSON Schema in the notation of TypeScript, which is short and well known to models. */
export const describeSchema = (schema: JsonSchema): string => describe(schema, schema, 0)

function describe(schema: Definition | undefined, root: JsonSchema, depth: number): string {
  // Schemas of trees refer to themselves.
  if (!isSchema(schema) || depth > 6) return 'any'
  const inner = (part: Definition | undefined): string => describe(part, root, depth + 1)
  if (schema.$ref) return inner(resolve(root, schema.$ref))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map(inner).join(' | ')
  if (schema.allOf) return schema.allOf.map(inner).join(' & ')
  return describeType(schema, inner)
}

function describeType(schema: JsonSchema, inner: (part: Definition | undefined) => string): string {
  const { type = schema.properties ? 'object' : undefined } = schema
  if (Array.isArray(type)) return type.map((one) => describeType({ ...schema, type: one }, inner)).join(' | ')
  if (type === 'array') return `${grouped(inner([schema.items].flat()[0]))}[]`
  if (type !== 'object') return type ?? 'any'
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${JSON.stringify(name)}${schema.required?.includes(name) ? '' : '?'}: ${inner(field)}`,
  )
  return `{${fields.join(', ')}}`
}

const grouped = (text: string): string => (/ [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text)

/** Returns the target of a reference within the schema, such as `#/definitions/Seat`. */
function resolve(root: JsonSchema, reference: string): Definition | undefined {
  let found: unknown = root
  for (const key of reference.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
  }
  return found as Definition | undefined
}

/** Describes the fields of a schema in words, one line each: `at.day: Monday to Friday`. */
export function describeFields(schema: JsonSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (!isSchema(field)) return []
    const at = path + name
    const own = field.description ? [`${at}: ${field.description}`] : []
    const items = [field.items].flat()[0]
    const listed = isSchema(items) ? describeFields(items, `${at}[].`) : []
    return [...own, ...describeFields(field, `${at}.`), ...listed]
  })
}
