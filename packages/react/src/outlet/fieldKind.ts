import { type FieldSchema, withoutNull } from './fieldSchema.ts'

/** A field of a form. */
export interface FormField {
  readonly schema: FieldSchema
  /** Its path in the form, as a JSON pointer; also the name of its input. */
  readonly path: string
  readonly isRequired: boolean
  /** True if an empty field means null. */
  readonly isNullable?: boolean
  /** The path of the value in error messages: `stops.0.city`. It changes when list items move. */
  readonly at?: string
}

type FieldKind = 'group' | 'list' | 'choice' | 'choices' | 'boolean' | 'number' | 'file' | 'text' | 'lines' | 'json'

/** Returns the kind of input for a schema. Complex ones are edited as JSON. */
export function fieldKind(schema: FieldSchema): FieldKind {
  if (optionsOf(schema).length > 0) return 'choice'
  switch (schema.type) {
    case 'object':
      return schema.properties ? 'group' : 'json'
    case 'array':
      return kindOfArray(schema)
    case 'boolean':
      return 'boolean'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return kindOfText(schema)
    default:
      return 'json'
  }
}

function kindOfArray(schema: FieldSchema): FieldKind {
  const items = itemsOf(schema)
  if (optionsOf(items).length > 0 && schema.uniqueItems !== false) return 'choices'
  return items.type === undefined && !items.properties ? 'json' : 'list'
}

function kindOfText({ contentMediaType, contentEncoding, format, maxLength, default: preset }: FieldSchema): FieldKind {
  if (contentMediaType || contentEncoding || format === 'binary' || format === 'data-url') return 'file'
  const isLong = (maxLength !== undefined && maxLength > 200) || (typeof preset === 'string' && /\n|.{80}/.test(preset))
  return format === 'textarea' || (isLong && !format) ? 'lines' : 'text'
}

export interface FieldOption {
  readonly value: unknown
  readonly label: string
}

/** Returns the options of an enumeration; empty for other schemas. */
export function optionsOf({ enum: values, const: only, oneOf, anyOf }: FieldSchema): readonly FieldOption[] {
  if (values) return values.map((value) => ({ value, label: wordsOf(value) }))
  if (only !== undefined) return [{ value: only, label: wordsOf(only) }]
  const named = oneOf ?? anyOf ?? []
  if (!named.every(({ const: value }) => value !== undefined)) return []
  return named.map(({ const: value, title }) => ({ value, label: title ?? wordsOf(value) }))
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The maximum number of items at first, since no user could fill in a longer form. */
export const mostItems = 200

export const itemsOf = ({ items }: FieldSchema): FieldSchema => items ?? {}

/** Returns the fields of an object, in the order of its schema. An optional group may be left empty. */
export function membersOf({ schema, path, at = '', isRequired }: FormField): FormField[] {
  return Object.entries(schema.properties ?? {}).map(([key, member]) => {
    const { schema: plain, isNullable } = withoutNull(member)
    const isWanted = schema.required?.includes(key) === true
    return {
      schema: isNullable && fieldKind(plain) === 'boolean' ? yesNoOrNothing(plain) : plain,
      path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      at: at ? `${at}.${key}` : key,
      isRequired: isRequired && isWanted && !isNullable,
      isNullable: isNullable && (plain.nullable ?? isWanted),
    }
  })
}

/** Makes a boolean a choice, since an unchecked box would mean no, and not nothing. */
export const yesNoOrNothing = ({ type: _, ...schema }: FieldSchema): FieldSchema => ({ ...schema, enum: [true, false] })

/** Returns the key of a field in its object: the last part of its path. */
export const keyOf = ({ path }: Pick<FormField, 'path'>): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

/** Returns the field of a list item. Its path has a key that stays the same when it moves. */
export const itemOf = (
  { schema, path, at = '' }: FormField,
  { key, index }: { key: string; index: number },
): FormField => {
  const { schema: item, isNullable } = withoutNull(schema.presets?.[Number(key)] ?? itemsOf(schema))
  return {
    schema: { ...item, title: itemsOf(schema).title ?? `${labelOf({ schema, path })} ${index + 1}` },
    path: `${path}/${key}`,
    at: at ? `${at}.${index}` : String(index),
    isRequired: !isNullable,
    isNullable,
  }
}

/** Returns the label of a field: its title, or its key in words. */
export function labelOf({ schema, path }: Pick<FormField, 'schema' | 'path'>): string {
  if (schema.title) return schema.title
  const words = keyOf({ path })
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1) || 'Value'
}
