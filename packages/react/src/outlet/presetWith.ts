import type { Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import { hasHidden } from '../untrusted/segmentsOf.ts'
import { fieldKind, itemsOf, optionsOf } from './fieldKind.ts'
import { type FieldSchema, withoutNull } from './fieldSchema.ts'

/** Adds a value to a schema, as initial values for the form. Values that do not fit their field become JSON. */
export function presetWith(given: FieldSchema, value: Json | undefined): FieldSchema {
  const { schema } = withoutNull(given)
  if (value === undefined) return withoutDefaults(fieldKind(schema) === 'boolean' ? yesNoOrNothing(schema) : schema)
  const { title, description } = schema
  const asJson = { ...(title && { title }), ...(description && { description }), default: value }
  if (isObject(value)) return fieldKind(schema) === 'group' ? groupWith(schema, value) : asJson
  const kind = fieldKind(schema)
  if (kind === 'list' && Array.isArray(value)) {
    const items = withoutDefaults(itemsOf(schema))
    return { ...schema, items, presets: value.map((item) => presetWith(items, item)), default: value }
  }
  const filled = { ...(kind === 'text' ? inText(schema, value) : schema), default: value }
  return fits(filled, value) ? filled : asJson
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

/** Makes a boolean without a value a choice, since an unchecked box would mean no. */
const yesNoOrNothing = ({ type: _, ...schema }: FieldSchema): FieldSchema => ({ ...schema, enum: [true, false] })

/** Removes defaults, so that empty fields stay empty. */
function withoutDefaults({ default: _, ...schema }: FieldSchema): FieldSchema {
  const { properties } = schema
  if (!properties) return schema
  const members = Object.entries(properties).map(([key, member]) => [key, withoutDefaults(member)])
  return { ...schema, properties: Object.fromEntries(members) }
}

/** Uses a text input for dates that a date input cannot hold, and for instants, which would lose their zone. */
function inText(schema: FieldSchema, value: Json): FieldSchema {
  const { format, ...rest } = schema
  const keeps =
    format === 'date' ? /^\d{4}-\d\d-\d\d$/.test(String(value)) : !/^(date-time|time|password)$/.test(format ?? '')
  return keeps ? schema : rest
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
