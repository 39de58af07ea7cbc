import type { JsonSchema } from '@interleave/core/internal'

type Definition = JsonSchema | boolean

/** A JSON Schema in the notation of TypeScript: short, and models have read a lot of it. */
export const describeSchema = (schema: JsonSchema): string => describe(schema, { root: schema, depth: 0 })

interface Place {
  readonly root: JsonSchema
  readonly depth: number
}

function describe(schema: Definition | undefined, { root, depth }: Place): string {
  // Schemas of trees refer to themselves.
  if (typeof schema !== 'object' || depth > 6) return 'any'
  const below: Place = { root, depth: depth + 1 }
  if (schema.$ref) return describe(resolve(root, schema.$ref), below)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map((option) => describe(option, below)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => describe(part, below)).join(' & ')
  return describeType(schema, below)
}

function describeType(schema: JsonSchema, below: Place): string {
  const { type = schema.properties ? 'object' : undefined } = schema
  if (Array.isArray(type)) return type.map((one) => describeType({ ...schema, type: one }, below)).join(' | ')
  if (type === 'array') return `${grouped(describe([schema.items].flat()[0], below))}[]`
  if (type === 'object') return describeObject(schema, below)
  return type ?? 'any'
}

const grouped = (text: string): string => (/ [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text)

function describeObject({ properties = {}, required = [] }: JsonSchema, below: Place): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${describe(field, below)}`,
  )
  return fields.length > 0 ? `{${fields.join(', ')}}` : '{}'
}

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
    if (typeof field !== 'object') return []
    const place = path + name
    const own = field.description ? [`${place}: ${field.description}`] : []
    const items = [field.items].flat()[0]
    const listed = typeof items === 'object' ? describeFields(items, `${place}[].`) : []
    return [...own, ...describeFields(field, `${place}.`), ...listed]
  })
}
