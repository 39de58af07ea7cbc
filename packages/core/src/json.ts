import type { JSONObject, JSONValue } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { AgentError } from './error.ts'

/** Plain JSON. Everything in the log and in the state is of this type, so saving is `JSON.stringify`. */
export type Json = JSONValue

/** Returns plain data as `Json`, uncopied. An interface is not assignable to it, because it could have more members. */
export function asJson(plain: object): Json {
  return plain as Json
}

/** Returns JSON of the log as the type that its only writer gave it, uncopied: the opposite of `asJson`. */
export function fromJson<T extends object>(json: Json | undefined): T {
  return json as T
}

export const isObject = (value: unknown): value is JSONObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface JsonLimits {
  /** Longest text that is parsed, in UTF-16 code units. */
  maxLength?: number
  /** Deepest nesting of arrays and objects. */
  maxDepth?: number
}

/** The limits of the input of a tool, and of any other text that has none of its own. */
const usualLength = 65_536
const usualDepth = 32

/** Parses foreign JSON. Limits length and depth, so that no input exhausts the stack, and rejects prototype keys. */
export function parseJson(text: string, { maxLength = usualLength, maxDepth = usualDepth }: JsonLimits = {}): Json {
  if (text.length > maxLength) throw invalid(`it is ${text.length} characters long, more than ${maxLength}`)
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
  if (isDeeper(value, maxDepth)) throw invalid(`it is nested deeper than ${maxDepth} levels`)
  return value
}

/** Returns the value of a JSON text, or undefined for any other text. Limits nothing: `parseJson` is for foreign texts. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a deep copy as plain JSON, by the rules of `JSON.stringify` (`toJSON` is called, `undefined` members are
 * omitted). Later changes of the original do not affect the log. Throws `json_invalid` for more than 64 levels or
 * 2,097,152 values: a value that many members share counts for each, as it is copied for each.
 */
export const toJson = (value: unknown): Json =>
  typeof value === 'string' || value === null ? value : (new JsonCopy(undefined).of(value, '', 0) ?? null)

/** Like `toJson`, but throws for values that JSON would lose, such as a Map. `owner` is named in the error. */
export const strictJson = (value: unknown, owner: string): Json => new JsonCopy(owner).of(value, '', 0) ?? null

/** Converts data to plain JSON for types that differ from it only in bytes, URLs and dates: these become strings. */
export function asPlain<T>(value: T): T {
  const plain: unknown = toJson(value)
  return plain as T
}

/**
 * Returns data of a log as a store returns it, without undefined members. Has no limits, in contrast to `toJson`: a log
 * has many more values than each value in it, and is deeper.
 */
export function storedJson(data: object | undefined): Json {
  return data === undefined ? null : JSON.parse(JSON.stringify(data))
}

/** Returns true if a store has two parts of logs as the same. */
export const sameStored = (a: object | undefined, b: object | undefined): boolean =>
  canonicalJson(storedJson(a)) === canonicalJson(storedJson(b))

/** Returns a deep copy of a value that is plain JSON, such as a part of the state. */
export function copyJson<T>(value: T): T
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson)
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null) copy[key] = copyJson(member)
  }
  return copy
}

const maxLevels = 64
const maxValues = 2 ** 21

/** One copy of a value, with its remaining limits. */
class JsonCopy {
  /** The name for errors, set if nothing may be lost. */
  readonly #owner: string | undefined
  #valuesLeft: number = maxValues

  constructor(owner: string | undefined) {
    this.#owner = owner
  }

  /** Returns a copy, or undefined for a value without a JSON form. */
  of(given: unknown, key: string | number, depth: number): Json | undefined {
    if (depth > maxLevels) throw invalid(`it is nested deeper than ${maxLevels} levels, or refers to itself`)
    this.#count(1)
    const value = hasToJson(given) ? given.toJSON(String(key)) : given
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    // Adding 0 turns -0 into 0, as JSON does.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'object') {
      // Functions among the members of an object are its methods, which JSON omits.
      if (depth === 0 && value !== undefined) this.#refuseLoss(value, key)
      return undefined
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return toJson(value.valueOf())
    if (value instanceof Uint8Array) return toBase64(value)
    return Array.isArray(value) ? this.#ofArray(value, depth + 1) : this.#ofObject(value, key, depth + 1)
  }

  #count(values: number): void {
    this.#valuesLeft -= values
    if (this.#valuesLeft < 0) throw invalid(`it has more than ${maxValues} values`)
  }

  #ofArray(values: readonly unknown[], depth: number): Json[] {
    // A sparse array may be longer than its number of values.
    if (values.length > this.#valuesLeft) this.#count(values.length)
    const copy: Json[] = []
    for (let index = 0; index < values.length; index++) copy.push(this.of(values[index], index, depth) ?? null)
    return copy
  }

  #ofObject(value: object, key: string | number, depth: number): Json {
    const copy: Record<string, Json> = {}
    const names = Object.keys(value)
    if (names.length === 0 && !isPlain(value)) this.#refuseLoss(value, key)
    for (const name of names) {
      const member = this.of((value as Record<string, unknown>)[name], name, depth)
      if (member === undefined) continue
      if (changesPrototype(name, member)) throw invalid(prototypeProblem)
      copy[name] = member
    }
    return copy
  }

  #refuseLoss(value: unknown, key: string | number): void {
    if (this.#owner === undefined) return
    const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value
    const what = kind === 'Object' ? 'an instance of a class that has no fields' : `a value of type ${kind}`
    const advice = DEV ? ' Return plain data: await response.json(), Object.fromEntries(map), [...set].' : ''
    throw new AgentError(
      'json_invalid',
      `${this.#owner} ${key === '' ? 'is' : `has at "${key}"`} ${what}, which JSON cannot hold.${advice}`,
    )
  }
}

const hasToJson = (value: unknown): value is { toJSON(key: string): unknown } =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'

/** Returns true if an object is not an instance of a class, also if it is from another frame. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Encodes bytes as base64, which the model interface accepts too. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // In segments: appending single characters takes two to three times as long, and memory for each of them.
  for (let at = 0; at < bytes.length; at += segment) binary += String.fromCharCode(...bytes.subarray(at, at + segment))
  return btoa(binary)
}

const segment = 8_192

const prototypeProblem = 'it has a key that would change a prototype'

/** Returns true if a value is nested deeper than this. Throws for a key that would change a prototype. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (hasPrototypeKey(value)) throw invalid(prototypeProblem)
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

/** Returns the nesting depth by counting brackets outside of strings, without parsing. */
export function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) i = endOfString(text, i)
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth)
    else if (code === 93 || code === 125) depth--
  }
  return deepest
}

/** Returns the index of the closing quote; at least the length of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== 34) i += text.charCodeAt(i) === 92 ? 2 : 1
  return i
}

const invalid = (why: string): AgentError => new AgentError('json_invalid', `This is not usable JSON: ${why}.`)

/** Returns true if merging the object into another one would change a prototype. */
export const hasPrototypeKey = (value: object): boolean =>
  Object.hasOwn(value, '__proto__') ||
  (Object.hasOwn(value, 'constructor') && changesPrototype('constructor', value.constructor))

/** Returns true if an object with this member would change a prototype when it is merged into another one. */
export function changesPrototype(key: string, member: unknown): boolean {
  if (key === 'constructor') return typeof member === 'object' && member !== null && Object.hasOwn(member, 'prototype')
  return key === '__proto__'
}

/** Returns the same JSON text for the same data, whatever the order of its keys. */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join()}}`
}

/** Returns true if two values are the same as JSON. The order of keys does not matter. */
export const sameJson = (a: unknown, b: unknown): boolean => canonicalJson(toJson(a)) === canonicalJson(toJson(b))

interface DataLimits {
  /** Number of values. A run of days has a hundredth of the default. */
  maxValues?: number
  /** Characters of text. Only data with the same text in many places exceeds the default: no memory is that large. */
  maxText?: number
  /** Deepest nesting. The default is more than that of a tool's output and a user's reply, 64 levels. */
  maxDepth?: number
  /** True if instances of classes are a problem too, such as the bytes and dates that `postMessage` sends. */
  isPlainOnly?: boolean
}

const noJson: readonly string[] = ['function', 'symbol', 'bigint']

/** Returns the problem of data that is too large to inspect, is not JSON, or changes a prototype. */
export function problemInData(
  data: unknown,
  { maxValues = 2 ** 28, maxText = 2 ** 36, maxDepth = 100, isPlainOnly = false }: DataLimits = {},
): string | undefined {
  let values = 0
  let text = 0
  const problemAt = (value: unknown, path: string[]): string | undefined => {
    // A sparse list may be far longer than its number of values, and JSON writes all of it.
    values += Array.isArray(value) ? value.length + 1 : 1
    if (values > maxValues) return `it has more than ${maxValues} values`
    if (typeof value === 'string') text += value.length
    if (text > maxText) return `it is larger than ${maxText} characters`
    if (noJson.includes(typeof value)) {
      return `it has a ${typeof value} at "${path.join('.').slice(0, 200)}", which JSON cannot hold`
    }
    if (typeof value !== 'object' || value === null) return undefined
    if (isPlainOnly && !Array.isArray(value) && !isPlain(value)) return 'it has an instance of a class'
    if (ArrayBuffer.isView(value)) return undefined
    if (path.length > maxDepth) return `it is nested deeper than ${maxDepth} levels`
    if (hasPrototypeKey(value)) return 'it has a key that would change a prototype'
    for (const key of Object.keys(value)) {
      path.push(key)
      const problem = problemAt((value as Record<string, unknown>)[key], path)
      if (problem) return problem
      path.pop()
    }
    return undefined
  }
  return problemAt(data, [])
}

/** The type with members that may be set, for an object that is still being made. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Returns the SHA-256 of a text as hexadecimal digits. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns a checksum of a text, for pages without HTTPS, which have no digests. It notices changes, but no forgery. */
export function checksumOf(text: string): string {
  const sums = [0x811c9dc5, 0x41c6ce57]
  for (let at = 0; at < text.length; at++)
    for (const [n, prime] of [0x01000193, 0x5f356495].entries())
      sums[n] = Math.imul((sums[n] ?? 0) ^ text.charCodeAt(at), prime)
  return sums.map((sum) => (sum >>> 0).toString(16)).join('-')
}

/** Returns the cached value of a key, or computes and caches it. The value lives as long as the key. */
export function cached<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
