import type { Part } from './part.ts'
import { type Budget, plainRecord } from './plainData.ts'

type Kind = 'text' | 'reasoning'
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type TextPart = Writable<Extract<Part, { type: Kind }>>

/** The turn that texts belong to. Its budget counts bytes, including returned ones. */
interface Keeping extends Budget {
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
  /** The one that was looked up last: most deltas are of it. */
  #last: OpenText | undefined = undefined

  constructor(type: Kind, turn: Keeping) {
    this.#type = type
    this.#turn = turn
  }

  start(id: string, metadata: unknown): void {
    this.#keep(this.#open(id), metadata)
  }

  grow(id: string, delta: string, metadata: unknown): void {
    // Some servers leave the start out.
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

  /**
   * Merges later metadata into earlier metadata, because signatures arrive with the last delta or the end. Replaced
   * values no longer count, and unchanged ones are not validated again.
   */
  #keep(text: OpenText, given: unknown): void {
    if (given === undefined) return
    const turn = this.#turn
    const later = new Tally(turn).copyOf(given)
    if (!later) return
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

/** A budget that takes back the bytes of a copy, which is then counted by key. */
class Tally implements Budget {
  readonly #budget: Budget
  #spent = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  spend(bytes: number): void {
    this.#spent += bytes
    this.#budget.spend(bytes)
  }

  copyOf(given: unknown): ReturnType<typeof plainRecord> {
    const copy = plainRecord(given, this)
    if (copy) this.#budget.spend(-this.#spent)
    return copy
  }
}
