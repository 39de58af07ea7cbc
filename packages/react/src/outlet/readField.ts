import type { Json } from '@interleave/core'
import { type FieldPlace, fieldKind, itemsOf, labelOf, membersOf, optionsOf } from './fieldKind.ts'

/**
 * What a person entered, as the value that the schema describes; undefined where nothing was. Throws what is wrong in
 * words, where it can be told without the schema's owner.
 */
export async function readField(place: FieldPlace, data: FormData): Promise<Json | undefined> {
  const { schema, path } = place
  const entry = data.get(path)
  switch (fieldKind(schema)) {
    case 'group':
      return readGroup(place, data)
    case 'boolean':
      return entry !== null
    case 'choices':
      return data.getAll(path).map((index) => chosen(optionsOf(itemsOf(schema)), index))
    case 'choice':
      return entry ? chosen(optionsOf(schema), entry) : empty(place)
    case 'file':
      return entry instanceof File && entry.name ? entry.text() : empty(place)
    case 'number':
      return entry ? readNumber(place, String(entry)) : empty(place)
    case 'text':
      return entry ? toText(place, String(entry)) : place.isRequired ? '' : empty(place)
    case 'json':
      return entry ? readJson(place, String(entry)) : empty(place)
  }
}

async function readGroup(place: FieldPlace, data: FormData): Promise<Json | undefined> {
  const value: Record<string, Json> = {}
  for (const member of membersOf(place)) {
    const read = await readField(member, data)
    if (read !== undefined) value[member.path.slice(place.path.length + 1)] = read
  }
  return place.isRequired || Object.keys(value).length > 0 ? value : undefined
}

const empty = ({ isNullable }: FieldPlace): null | undefined => (isNullable ? null : undefined)

const chosen = (options: readonly unknown[], index: FormDataEntryValue): Json => options[Number(index)] as Json

function readNumber(place: FieldPlace, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value)) return value
  throw new Error(`${labelOf(place)}: this is not a number.`)
}

/** The input of a browser gives a local time, the schema wants a moment. */
const toText = ({ schema }: FieldPlace, text: string): string =>
  schema.format === 'date-time' ? new Date(text).toISOString() : text

function readJson(place: FieldPlace, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Error(`${labelOf(place)}: this is not valid JSON.`)
  }
}
