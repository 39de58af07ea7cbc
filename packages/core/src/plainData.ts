import { isObject, isPlain, type Json, toBase64 } from './json.ts'
import { pollutes } from './pollutes.ts'

/** Less deep than what is refused in a log, for it stands in something. */
const maxDepth = 64

/** Told of each piece of data before it is copied, with about as many bytes as it has as JSON. Throws where that is too much. */
export type Spend = (bytes: number) => void

/**
 * A copy, as plain JSON, of what somebody else's code made. Bytes become base64, URLs and dates text, numbers that JSON has no word
 * for null; what is undefined is left out, and so is a key that would change a prototype. Throws for all that is no data.
 */
export const plainData = (given: unknown, spend: Spend): Json | undefined => copyOf(given, spend, 0)

function copyOf(value: unknown, spend: Spend, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
      spend(value.length + 2)
      return value
    case 'number':
      spend(8)
      // Adding 0 makes 0 of -0, which JSON does not know either.
      return Number.isFinite(value) ? value + 0 : null
    case 'boolean':
      spend(4)
      return value
    case 'undefined':
      return undefined
    case 'object':
      spend(8)
      return value === null ? null : copyOfObject(value, spend, depth)
    default:
      throw new TypeError(`it has a ${typeof value}`)
  }
}

function copyOfObject(value: object, spend: Spend, depth: number): Json {
  if (depth > maxDepth) throw new TypeError(`it is nested deeper than ${maxDepth} levels, or refers to itself`)
  if (Array.isArray(value)) {
    const { length } = value
    // A list may be all holes, and as long as it says.
    spend(2 * length)
    const copy: Json[] = []
    for (let index = 0; index < length; index++) copy.push(copyOf(value[index], spend, depth + 1) ?? null)
    return copy
  }
  return isPlain(value) ? copyOfMembers(value, spend, depth) : copyOfBuiltIn(value, spend)
}

function copyOfMembers(value: object, spend: Spend, depth: number): Json {
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') continue
    spend(key.length + 4)
    const member = copyOf((value as Record<string, unknown>)[key], spend, depth + 1)
    if (member !== undefined) copy[key] = member
  }
  if (!pollutes(copy)) return copy
  const { constructor: _, ...others } = copy
  return others
}

function copyOfBuiltIn(value: object, spend: Spend): Json {
  const text = textOf(value, spend)
  if (typeof text !== 'string') throw new TypeError('it has an instance of a class')
  spend(text.length)
  return text
}

function textOf(value: object, spend: Spend): unknown {
  switch (Object.prototype.toString.call(value)) {
    case '[object URL]':
      return (value as URL).href
    case '[object Date]':
      return (value as Date).toJSON()
    case '[object Uint8Array]':
      // Before they are made text.
      if (ArrayBuffer.isView(value)) spend(value.byteLength / 3)
      return toBase64(value as Uint8Array)
    default:
      return undefined
  }
}

/** A record of plain data, for what is left out where it is none. */
export function plainRecord(given: unknown, spend: Spend): Readonly<Record<string, Json | undefined>> | undefined {
  const copy = plainData(given, spend)
  return isObject(copy) ? copy : undefined
}
