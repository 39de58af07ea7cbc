import { isObject, isPlain, type Json, pollutes, toBase64 } from './json.ts'

/** Lower than the limit for a log, since the data is nested in an event. */
const maxDepth = 64

/** The bytes that data may have. */
export interface Budget {
  /** Called for each item before it is copied, with its approximate size as JSON. Throws if that is too much. */
  spend(bytes: number): void
}

/**
 * Copies foreign data as plain JSON. Bytes become base64, URLs and dates strings, numbers without a JSON form null.
 * Undefined members, and keys that would change a prototype, are omitted. Throws for anything that is not data.
 */
export const plainData = (given: unknown, budget: Budget): Json | undefined => copyOf(given, budget, 0)

function copyOf(value: unknown, budget: Budget, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
      budget.spend(value.length + 2)
      return value
    case 'number':
      budget.spend(8)
      // Adding 0 makes 0 of -0, which JSON does not know either.
      return Number.isFinite(value) ? value + 0 : null
    case 'boolean':
      budget.spend(4)
      return value
    case 'undefined':
      return undefined
    case 'object':
      budget.spend(8)
      return value === null ? null : copyOfObject(value, budget, depth)
    default:
      throw new TypeError(`it has a ${typeof value}`)
  }
}

function copyOfObject(value: object, budget: Budget, depth: number): Json {
  if (depth > maxDepth) throw new TypeError(`it is nested deeper than ${maxDepth} levels, or refers to itself`)
  if (Array.isArray(value)) {
    const { length } = value
    // A list may be all holes, and as long as it says.
    budget.spend(2 * length)
    const copy: Json[] = []
    for (let index = 0; index < length; index++) copy.push(copyOf(value[index], budget, depth + 1) ?? null)
    return copy
  }
  return isPlain(value) ? copyOfMembers(value, budget, depth) : copyOfBuiltIn(value, budget)
}

function copyOfMembers(value: object, budget: Budget, depth: number): Json {
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') continue
    budget.spend(key.length + 4)
    const member = copyOf((value as Record<string, unknown>)[key], budget, depth + 1)
    if (member !== undefined) copy[key] = member
  }
  if (!pollutes(copy)) return copy
  const { constructor: _, ...others } = copy
  return others
}

function copyOfBuiltIn(value: object, budget: Budget): Json {
  const text = textOf(value, budget)
  if (typeof text !== 'string') throw new TypeError('it has an instance of a class')
  budget.spend(text.length)
  return text
}

function textOf(value: object, budget: Budget): unknown {
  switch (Object.prototype.toString.call(value)) {
    case '[object URL]':
      return (value as URL).href
    case '[object Date]':
      return (value as Date).toJSON()
    case '[object Uint8Array]':
      // Before they are made text.
      if (ArrayBuffer.isView(value)) budget.spend(value.byteLength / 3)
      return toBase64(value as Uint8Array)
    default:
      return undefined
  }
}

/** Returns a record of plain data, or undefined if it is not one. */
export function plainRecord(given: unknown, budget: Budget): Readonly<Record<string, Json | undefined>> | undefined {
  const copy = plainData(given, budget)
  return isObject(copy) ? copy : undefined
}
