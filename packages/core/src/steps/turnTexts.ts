import { changesPrototype, isObject, isPlain, type Json, toBase64, type Writable } from '../json.ts'
import type { Part } from '../part.ts'

type Kind = 'text' | 'reasoning'
type TextPart = Writable<Extract<Part, { type: Kind }>>

/** The turn that texts belong to. Its budget counts bytes, including returned ones. */
interface Keeping extends Budget {
  /** The bytes that are spent. */
  readonly spent: number
  addPart(part: Part): void
}

/** A text that may still grow. */
class OpenText {
  readonly id: string
  readonly part: TextPart
  /** Bytes of its metadata, by key. */
  sizes: Map<string, number> | undefined = undefined

  constructor(id: string, part: TextPart) {
    this.id = id
    this.part = part
  }
}

/** The texts of one kind that a turn is made of, by the provider's ids, which are unique only within a stream. */
export class TurnTexts {
  readonly #type: Kind
  readonly #turn: Keeping
  readonly #texts = new Map<string, OpenText>()
  /** The text that was looked up last: most deltas belong to it. */
  #last: OpenText | undefined = undefined

  constructor(type: Kind, turn: Keeping) {
    this.#type = type
    this.#turn = turn
  }

  start(id: string, metadata: unknown): void {
    this.#keep(this.#open(id), metadata)
  }

  grow(id: string, delta: string, metadata: unknown): void {
    // Some servers omit the start.
    const text = this.#find(id) ?? this.#open(id)
    text.part.text += delta
    this.#keep(text, metadata)
  }

  end(id: string, metadata: unknown): void {
    const text = this.#find(id)
    if (text) this.#keep(text, metadata)
  }

  #find(id: string): OpenText | undefined {
    if (this.#last?.id !== id) this.#last = this.#texts.get(id)
    return this.#last
  }

  #open(id: string): OpenText {
    const text = new OpenText(id, { type: this.#type, text: '' })
    this.#turn.spend(id.length)
    this.#turn.addPart(text.part)
    this.#texts.set(id, text)
    this.#last = text
    return text
  }

  /** Merges later metadata into earlier metadata, because signatures arrive with the last delta or the end. */
  #keep(text: OpenText, given: unknown): void {
    if (given === undefined) return
    const turn = this.#turn
    const { spent } = turn
    const later = plainRecord(given, turn)
    if (!later) return
    // The bytes of the copy are counted by key instead.
    turn.spend(spent - turn.spent)
    const { part } = text
    part.providerMetadata ??= {}
    text.sizes ??= new Map()
    const kept: Record<string, unknown> = part.providerMetadata
    for (const key of Object.keys(later)) {
      const size = key.length + JSON.stringify(later[key]).length
      turn.spend(size - (text.sizes.get(key) ?? 0))
      text.sizes.set(key, size)
      kept[key] = later[key]
    }
  }
}

/** Lower than the limit for a log, since the data is nested in an event. */
const maxDepth = 64

/** The maximum bytes of data. */
interface Budget {
  /** Called for each item before it is copied, with its approximate size as JSON. Throws if that is too much. */
  spend(bytes: number): void
}

/** Copies foreign data as plain JSON: bytes, URLs and dates become strings. Throws for anything that is not data. */
export const plainData = (given: unknown, budget: Budget): Json | undefined => copyOf(given, budget, 0)

function copyOf(value: unknown, budget: Budget, depth: number): Json | undefined {
  switch (typeof value) {
    case 'string':
      budget.spend(value.length + 2)
      return value
    case 'number':
      budget.spend(8)
      // Adding 0 turns -0 into 0, as JSON does.
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
    // A list may be sparse, and have any length.
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
    if (member !== undefined && !changesPrototype(key, member)) copy[key] = member
  }
  return copy
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
      // Bytes count before they become text.
      if (ArrayBuffer.isView(value)) budget.spend(value.byteLength / 3)
      return toBase64(value as Uint8Array)
    default:
      return undefined
  }
}

/** Returns a record of plain data; undefined for other data. */
export function plainRecord(given: unknown, budget: Budget): Readonly<Record<string, Json | undefined>> | undefined {
  const copy = plainData(given, budget)
  return isObject(copy) ? copy : undefined
}
