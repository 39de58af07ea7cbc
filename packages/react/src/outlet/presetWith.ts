import type { Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import { hasHidden } from '../untrusted/segmentsOf.ts'
import { fieldKind, itemsOf, mostItems, optionsOf, yesNoOrNothing } from './fieldKind.ts'
import { type FieldSchema, withoutNull } from './fieldSchema.ts'

/** Adds a value to a schema, as initial values for the form. Values that do not fit their field become JSON. */
export function presetWith(given: FieldSchema, value: Json | undefined): FieldSchema {
  const { schema, isNullable } = withoutNull(given)
  // An empty field is one of null.
  const filled = isNullable && value === null ? emptied(schema) : filledWith(schema, value)
  return isNullable ? { ...filled, nullable: value !== undefined } : filled
}

function filledWith(schema: FieldSchema, value: Json | undefined): FieldSchema {
  if (value === undefined) return emptied(schema)
  const { title, description } = schema
  const asJson = { ...(title && { title }), ...(description && { description }), default: value }
  if (isObject(value)) return fieldKind(schema) === 'group' ? groupWith(schema, value) : asJson
  const kind = fieldKind(schema)
  if (kind === 'list' && Array.isArray(value) && value.length <= mostItems) {
    const items = withoutDefaults(itemsOf(schema))
    return { ...schema, items, presets: value.map((item) => presetWith(items, item)), default: value }
  }
  const filled = { ...(kind === 'text' ? inText(schema, value) : schema), default: value }
  return fits(filled, value) ? filled : asJson
}

/** Fills the fields of lists and groups with their defaults. A default of null leaves the field empty. */
export function withDefaults(given: FieldSchema): FieldSchema {
  const { default: preset, ...rest } = given
  const schema = preset === null ? rest : given
  const kind = fieldKind(withoutNull(schema).schema)
  if (isObject(preset) ? kind === 'group' : Array.isArray(preset) && kind === 'list')
    return presetWith(schema, preset as Json)
  const members = Object.entries(schema.properties ?? {}).map(([key, member]) => [key, withDefaults(member)])
  return schema.properties ? { ...schema, properties: Object.fromEntries(members) } : schema
}

function groupWith(schema: FieldSchema, value: Readonly<Record<string, Json | undefined>>): FieldSchema {
  const known = schema.properties ?? {}
  const others = Object.keys(value).filter((key) => !Object.hasOwn(known, key))
  const properties = Object.fromEntries([
    ...Object.entries(known).map(([key, member]) => [
      key,
      presetWith(member, Object.hasOwn(value, key) ? value[key] : undefined),
    ]),
    ...others.map((key) => [key, presetWith(schemaOf(value[key]), value[key])]),
  ])
  return { ...schema, properties, default: value, required: [...(schema.required ?? []), ...others] }
}

/** Returns the schema of a value that the given schema does not describe. */
const schemaOf = (value: Json | undefined): FieldSchema =>
  typeof value === 'object' && value !== null ? {} : { type: value === null ? 'null' : typeof value }

/** Returns the schema of an empty field. */
const emptied = (schema: FieldSchema): FieldSchema =>
  withoutDefaults(fieldKind(schema) === 'boolean' ? yesNoOrNothing(schema) : schema)

/** Removes defaults, so that empty fields stay empty. */
function withoutDefaults({ default: _, ...schema }: FieldSchema): FieldSchema {
  const { properties } = schema
  if (!properties) return schema
  const members = Object.entries(properties).map(([key, member]) => [key, withoutDefaults(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Uses a text field if the input of the format would change the value: an instant would lose its time zone. */
function inText(schema: FieldSchema, value: Json): FieldSchema {
  const { format, ...rest } = schema
  return typeof value === 'string' && format !== undefined && keeps(format, value) ? schema : rest
}

/** Returns true if the input of a format preserves a string. */
function keeps(format: string, text: string): boolean {
  if (format === 'date') return isDate(text)
  return !/^(date-time|time|password)$/.test(format) && text.trim() === text && !text.includes('\n')
}

function isDate(text: string): boolean {
  const date = new Date(text)
  return /^\d{4}-\d\d-\d\d$/.test(text) && date.getUTCFullYear() > 0 && date.toISOString().startsWith(text)
}

function fits(schema: FieldSchema, value: Json): boolean {
  switch (fieldKind(schema)) {
    case 'choice':
      return optionsOf(schema).some((option) => option.value === value)
    case 'choices':
      return Array.isArray(value) && isInOrder(schema, value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return typeof value === 'number'
    case 'text':
    case 'lines':
      return typeof value === 'string' && !hasHidden(value) && !value.includes('\r')
    default:
      return false
  }
}

/** Returns true if values are in the order of the options, each at most once, as checkboxes are read. */
function isInOrder(schema: FieldSchema, values: readonly Json[]): boolean {
  const checked = optionsOf(itemsOf(schema)).filter((option) => values.includes(option.value as Json))
  return checked.length === values.length && checked.every((option, index) => option.value === values[index])
}
