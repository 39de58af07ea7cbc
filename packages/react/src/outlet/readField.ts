import { AgentError, type Json } from '@interleave/core'
import { messageOf, toBase64 } from '@interleave/core/internal'
import type { Say } from '../words/words.tsx'
import {
  type FieldOption,
  type FormField,
  fieldKind,
  itemOf,
  itemsOf,
  keyOf,
  labelOf,
  membersOf,
  optionsOf,
} from './fieldKind.ts'
import type { FieldSchema } from './fieldSchema.ts'

/** Reads the entered value as the schema describes it; undefined for an empty field. Throws a readable error. */
export async function readField(field: FormField, data: FormData, say: Say): Promise<Json | undefined> {
  const { schema, path } = field
  const entry = data.get(path)
  switch (fieldKind(schema)) {
    case 'group':
      return readGroup(field, data, say)
    case 'list':
      return readList(field, data, say)
    case 'boolean':
      return entry !== null
    case 'choices':
      return readChoices(field, data.getAll(path))
    case 'choice':
      return entry ? chosen(optionsOf(schema), entry) : empty(field)
    case 'file':
      return entry instanceof File && entry.name ? readFile(entry, schema, say) : empty(field)
    case 'number':
      return entry ? readNumber(field, String(entry), say) : empty(field)
    case 'text':
    case 'lines':
      return entry ? toText(schema, String(entry)) : isWanted(field) ? '' : empty(field)
    case 'json':
      return entry ? readJson(field, String(entry), say) : empty(field)
  }
}

async function readGroup(field: FormField, data: FormData, say: Say): Promise<Json | undefined> {
  const entries: [key: string, value: Json][] = []
  for (const member of membersOf(field)) {
    const read = await readField(member, data, say)
    if (read !== undefined) entries.push([keyOf(member), read])
  }
  const { isRequired, isNullable, schema } = field
  // A group that had something, and has nothing now, is null if it may be.
  const isKept = isNullable ? !isFilled(Object.values(schema.default ?? {})) : true
  // Unlike an assignment, `fromEntries` also sets a member named `__proto__`.
  if (isRequired || (schema.default !== undefined && isKept)) return Object.fromEntries(entries)
  return isFilled(entries.map(([, value]) => value))
    ? readGroup({ ...field, isRequired: true }, data, say)
    : empty(field)
}

const isFilled = (values: readonly unknown[]): boolean => values.some((value) => value !== false)

/** Reads a list: each item has a hidden input with its key. */
async function readList(field: FormField, data: FormData, say: Say): Promise<Json | undefined> {
  const values: Json[] = []
  for (const [index, key] of data.getAll(field.path).entries())
    values.push((await readField(itemOf(field, { key: String(key), index }), data, say)) ?? null)
  return field.isRequired || values.length > 0 || field.schema.default !== undefined ? values : empty(field)
}

function readChoices(field: FormField, indexes: readonly FormDataEntryValue[]): Json | undefined {
  const { isRequired, schema } = field
  if (indexes.length === 0 && !isRequired && schema.default === undefined) return empty(field)
  return indexes.map((index) => chosen(optionsOf(itemsOf(schema)), index))
}

/** Returns true if an empty string is a value: if one is required, or it was the preset. */
const isWanted = ({ isRequired, schema }: FormField): boolean => isRequired || schema.default === ''

const empty = ({ isNullable }: FormField): null | undefined => (isNullable ? null : undefined)

const chosen = (options: readonly FieldOption[], index: FormDataEntryValue): Json =>
  options[Number(index)]?.value as Json

/** Creates the error of a form that cannot be read as it is, in the words of the page. */
export const notFilled = (words: string): AgentError => new AgentError('reply_invalid', words)

function readNumber(field: FormField, text: string, say: Say): number {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw notFilled(say('notNumber', { field: labelOf(field) }))
}

/** Converts the local time of a `datetime-local` input to the instant that the schema needs. */
const toText = ({ format }: FieldSchema, text: string): string =>
  format === 'date-time' ? new Date(text).toISOString() : text

function readJson(field: FormField, text: string, say: Say): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw notFilled(say('notJson', { field: labelOf(field) }))
  }
}

async function readFile(file: File, schema: FieldSchema, say: Say): Promise<string> {
  try {
    return await contentOf(file, schema)
  } catch (error) {
    throw unreadableFile(file, say, error)
  }
}

/** Creates the error of a file that the browser does not read, such as one that was moved. */
export const unreadableFile = ({ name }: File, say: Say, cause: unknown): AgentError =>
  new AgentError('reply_invalid', `The file "${name}" cannot be read: ${messageOf(cause)}`, {
    cause,
    userMessage: say('fileUnreadable', { name }),
  })

/** Reads a file as the schema describes it: as text, as base64, or as a `data:` URL. */
async function contentOf(file: File, { contentEncoding, format }: FieldSchema): Promise<string> {
  const isAddress = format === 'data-url'
  if (!isAddress && contentEncoding !== 'base64' && format !== 'binary') return file.text()
  const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  return isAddress ? `data:${file.type || 'application/octet-stream'};base64,${base64}` : base64
}
