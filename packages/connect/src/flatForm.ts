import { isObject, type JsonSchema } from '@interleave/core/internal'

/** A field of a form of another system. */
export interface Field {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices'
  /** The schema of the field, with known keywords only. */
  readonly schema: JsonSchema
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly isRequired: boolean
}

export interface FlatForm {
  readonly fields: readonly Field[]
  readonly schema: JsonSchema
  /** Returns what is wrong with a reply: `name: too short; age: not a number`. */
  problemWith(reply: unknown): string | undefined
}

const mostFields = 50
const mostOptions = 500

/**
 * Reads the flat subset of JSON Schema that forms of other systems use. For any other schema, returns a string that
 * describes what it asks for.
 */
export function readForm(schema: unknown): FlatForm | string {
  if (!isObject(schema) || !isObject(schema.properties)) return 'for a form without fields'
  const { properties, required } = schema
  const names = Object.keys(properties)
  if (names.length === 0 || names.length > mostFields) return `for a form with ${names.length} fields`
  const fields: Field[] = []
  for (const name of names) {
    const isRequired = Array.isArray(required) && required.includes(name)
    const field = readField(name, properties[name], isRequired)
    if (!field) return `for the field "${name.slice(0, 100)}", which is of no known kind`
    if (isSecret(field)) return `for a secret ("${name.slice(0, 100)}") in a form. Servers must use a link for that`
    fields.push(field)
  }
  return {
    fields,
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema: own }) => [name, own])),
      required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
    problemWith: (reply) => problemWith(fields, reply),
  }
}

const words = ['title', 'description'] as const
const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const
const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time', 'password'])

function readField(name: string, given: unknown, isRequired: boolean): Field | undefined {
  if (!isObject(given) || name === '__proto__') return undefined
  const { type, format, default: preset } = given
  const schema: Record<string, unknown> = { type }
  for (const key of words) if (typeof given[key] === 'string') schema[key] = String(given[key]).slice(0, 2_000)
  for (const key of limits) if (typeof given[key] === 'number') schema[key] = given[key]
  if (formats.has(format)) schema.format = format
  if (preset !== undefined && preset !== null) schema.default = preset
  const options = optionsIn(type === 'array' && isObject(given.items) ? given.items : given)
  const kind = kindOf(type, options)
  if (!kind || options === 'invalid') return undefined
  const titled = options?.map(({ value, label }) => ({ const: value, title: label }))
  if (kind === 'choice') schema.oneOf = titled
  if (kind === 'choices') Object.assign(schema, { items: { type: 'string', oneOf: titled }, uniqueItems: true })
  return { name, kind, schema: schema as JsonSchema, options: options ?? [], isRequired }
}

type Options = Field['options']

function kindOf(type: unknown, options: Options | 'invalid' | undefined): Field['kind'] | undefined {
  if (type === 'array') return options ? 'choices' : undefined
  if (type === 'string') return options ? 'choice' : 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : undefined
}

/**
 * Reads the options from `const`, from `enum`, perhaps with the `enumNames` of older servers, or from `oneOf` or
 * `anyOf` of `const` and `title`.
 */
function optionsIn({
  const: only,
  enum: values = only === undefined ? undefined : [only],
  enumNames,
  oneOf,
  anyOf,
}: Readonly<Record<string, unknown>>): Options | 'invalid' | undefined {
  const named = oneOf ?? anyOf
  const given = Array.isArray(values)
    ? values.map((value, index) => [value, Array.isArray(enumNames) ? enumNames[index] : value])
    : Array.isArray(named)
      ? named.map((each) => (isObject(each) ? [each.const, each.title ?? each.const] : []))
      : undefined
  if (!given) return undefined
  const options = given.flatMap(([value, label]) =>
    typeof value === 'string' ? [{ value, label: (typeof label === 'string' ? label : value).slice(0, 500) }] : [],
  )
  const isDistinct = new Set(options.map(({ value }) => value)).size === given.length
  return isDistinct && given.length > 0 && given.length <= mostOptions ? options : 'invalid'
}

const secrets = [
  'password',
  'passwort',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'apikey',
  'privatekey',
  'credential',
  'credentials',
  'cvv',
  'cvc',
  'pin',
]

/** Returns true for a field that asks for a secret, which must not be in a log. */
function isSecret({ name, schema: { title = '', format } }: Field): boolean {
  const isNamedSo = [name, title].some((written) => {
    const parts = written
      .slice(0, 200)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(Boolean)
    return secrets.includes(parts.at(-1) ?? '') || secrets.includes(parts.slice(-2).join(''))
  })
  return isNamedSo || format === 'password'
}

function problemWith(fields: readonly Field[], reply: unknown): string | undefined {
  if (!isObject(reply)) return 'Fill in the form.'
  const unknown = Object.keys(reply).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return `The form has no field "${unknown}".`
  const problems = fields.flatMap((field) => {
    const value = Object.hasOwn(reply, field.name) ? reply[field.name] : undefined
    const problem = value === undefined ? (field.isRequired ? 'It is required.' : undefined) : problemIn(field, value)
    return problem ? [`${field.name}: ${problem}`] : []
  })
  return problems.length > 0 ? problems.join('; ') : undefined
}

function problemIn({ kind, schema, options }: Field, value: unknown): string | undefined {
  const isOption = (each: unknown): boolean => options.some((option) => option.value === each)
  switch (kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Answer true or false.'
    case 'choice':
      return isOption(value) ? undefined : 'Choose one of the options.'
    case 'choices': {
      if (!Array.isArray(value) || !value.every(isOption) || new Set(value).size < value.length)
        return 'Choose from the options.'
      return outside(value.length, schema.minItems, schema.maxItems, 'options')
    }
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number.'
      if (schema.type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.'
      return outside(value, schema.minimum, schema.maximum, '')
    }
    case 'text':
      if (typeof value !== 'string') return 'Enter text.'
      return (
        outside(value.length, schema.minLength, schema.maxLength ?? 100_000, 'characters') ??
        misformed(value, schema.format)
      )
  }
}

function outside(
  size: number,
  least = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
  unit: string,
): string | undefined {
  if (size < least) return `At least ${least} ${unit}`.trim()
  return size > most ? `At most ${most} ${unit}`.trim() : undefined
}

function misformed(value: string, format: string | undefined): string | undefined {
  const [name = '', host = '', ...more] = value.split('@')
  if (format === 'email')
    return name && host && more.length === 0 && !/\s/.test(value) ? undefined : 'Enter an email address.'
  if (format === 'uri') return URL.canParse(value) ? undefined : 'Enter a whole address.'
  if (format === 'date' || format === 'date-time') {
    const isShaped = format === 'date' ? /^\d{4}-\d\d-\d\d$/.test(value) : value.includes('T')
    return isShaped && !Number.isNaN(Date.parse(value)) ? undefined : `Enter a ${format}, such as 2026-07-28.`
  }
  return undefined
}
