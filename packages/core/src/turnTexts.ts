import type { Part } from './part.ts'
import { plainRecord, type Spend } from './plainData.ts'

type Kind = 'text' | 'reasoning'
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type TextPart = Writable<Extract<Part, { type: Kind }>>

interface Keeping {
  /** Adds a part to the turn. */
  add(part: Part): void
  /** Counts bytes, also those that are given back. */
  readonly spend: Spend
}

/** A text that may still grow. */
interface OpenText {
  readonly part: TextPart
  /** Bytes of its metadata, by key. */
  readonly sizes: Map<string, number>
}

/** The texts of one kind that a turn is made of, by the provider's ids, which are unique only within a stream. */
export interface TurnTexts {
  start(id: string, metadata: unknown): void
  grow(id: string, delta: string, metadata: unknown): void
  end(id: string, metadata: unknown): void
}

export function turnTexts(type: Kind, { add, spend }: Keeping): TurnTexts {
  const texts = new Map<string, OpenText>()

  const open = (id: string): OpenText => {
    const text: OpenText = { part: { type, text: '' }, sizes: new Map() }
    spend(id.length)
    add(text.part)
    texts.set(id, text)
    return text
  }
  /**
   * Merges later metadata into earlier metadata, because signatures arrive with the last delta or the end. Replaced
   * values no longer count, and unchanged ones are not validated again.
   */
  const keep = ({ part, sizes }: OpenText, given: unknown): void => {
    let spent = 0
    const later = plainRecord(given, (bytes) => {
      spent += bytes
      spend(bytes)
    })
    if (!later) return
    spend(-spent)
    part.providerMetadata ??= {}
    const kept: Record<string, unknown> = part.providerMetadata
    for (const key of Object.keys(later)) {
      const size = key.length + JSON.stringify(later[key]).length
      spend(size - (sizes.get(key) ?? 0))
      sizes.set(key, size)
      kept[key] = later[key]
    }
  }

  return {
    start(id, metadata) {
      const text = open(id)
      if (metadata !== undefined) keep(text, metadata)
    },
    grow(id, delta, metadata) {
      // Some servers leave the start out.
      const text = texts.get(id) ?? open(id)
      text.part.text += delta
      if (metadata !== undefined) keep(text, metadata)
    },
    end(id, metadata) {
      const text = texts.get(id)
      if (text && metadata !== undefined) keep(text, metadata)
    },
  }
}
