import type { Json } from '@interleave/core'
import { toBase64 } from '@interleave/core/internal'
import {
  type FieldOption,
  type FieldPlace,
  fieldKind,
  itemOf,
  itemsOf,
  labelOf,
  membersOf,
  optionsOf,
} from './fieldKind.ts'
import type { FieldSchema } from './fieldSchema.ts'

/** Reads the entered value as the schema describes it; undefined for an empty field. Throws a readable error. */
export async function readField(place: FieldPlace, data: FormData): Promise<Json | undefined> {
  const { schema, path } = place
  const entry = data.get(path)
  switch (fieldKind(schema)) {
    case 'group':
      return readGroup(place, data)
    case 'list':
      return readList(place, data)
    case 'boolean':
      return entry !== null
    case 'choices':
      return readChoices(place, data.getAll(path))
    case 'choice':
      return entry ? chosen(optionsOf(schema), entry) : empty(place)
    case 'file':
      return entry instanceof File && entry.name ? readFile(entry, schema) : empty(place)
    case 'number':
      return entry ? readNumber(place, String(entry)) : empty(place)
    case 'text':
    case 'lines':
      return entry ? toText(schema, String(entry)) : isWanted(place) ? '' : empty(place)
    case 'json':
      return entry ? readJson(place, String(entry)) : empty(place)
  }
}

async function readGroup(place: FieldPlace, data: FormData): Promise<Json | undefined> {
  const entries: [key: string, value: Json][] = []
  for (const member of membersOf(place)) {
    const read = await readField(member, data)
    if (read !== undefined) entries.push([member.path.slice(place.path.length + 1), read])
  }
  const isThere = place.isRequired || place.schema.default !== undefined || entries.length > 0
  // Unlike an assignment, it also sets a member of the name `__proto__`.
  return isThere ? Object.fromEntries(entries) : empty(place)
}

/** Reads a list: each item has a hidden input with its key. */
async function readList(place: FieldPlace, data: FormData): Promise<Json | undefined> {
  const values: Json[] = []
  for (const [index, key] of data.getAll(place.path).entries())
    values.push((await readField(itemOf(place, { key: String(key), index }), data)) ?? null)
  return place.isRequired || values.length > 0 || place.schema.default !== undefined ? values : empty(place)
}

function readChoices(place: FieldPlace, indexes: readonly FormDataEntryValue[]): Json | undefined {
  const { isRequired, schema } = place
  if (indexes.length === 0 && !isRequired && schema.default === undefined) return empty(place)
  return indexes.map((index) => chosen(optionsOf(itemsOf(schema)), index))
}

/** Returns true if an empty string is a value: if one is required, or it was the preset. */
const isWanted = ({ isRequired, schema }: FieldPlace): boolean => isRequired || schema.default === ''

const empty = ({ isNullable }: FieldPlace): null | undefined => (isNullable ? null : undefined)

const chosen = (options: readonly FieldOption[], index: FormDataEntryValue): Json =>
  options[Number(index)]?.value as Json

function readNumber(place: FieldPlace, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new Error(`${labelOf(place)}: must be a number.`)
}

/** Converts a local time to an instant: a `datetime-local` input has the one, and the schema needs the other. */
const toText = ({ format }: FieldSchema, text: string): string =>
  format === 'date-time' ? new Date(text).toISOString() : text

function readJson(place: FieldPlace, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Error(`${labelOf(place)}: must be valid JSON.`)
  }
}

/** Reads a file as the schema describes it: as text, as base64, or as a `data:` URL. */
async function readFile(file: File, { contentEncoding, format }: FieldSchema): Promise<string> {
  const isAddress = format === 'data-url'
  if (!isAddress && contentEncoding !== 'base64' && format !== 'binary') return file.text()
  const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  return isAddress ? `data:${file.type || 'application/octet-stream'};base64,${base64}` : base64
}
