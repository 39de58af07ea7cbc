import MiniSearch from 'minisearch'
import { checkOptions, DEV } from '#checks'
import { assertOption } from '../../options.ts'
import type { Memory, MemoryItem } from './remember.ts'

export interface SearchMemoryOptions {
  /** Its initial items: the `items` of an earlier one. */
  items?: readonly MemoryItem[]
  /** The maximum number of items; 1,000 by default. The oldest are dropped first. */
  maxItems?: number
}

export interface SearchMemory extends Memory {
  /** All its items, oldest first, as plain JSON to be stored and passed to another. */
  readonly items: readonly MemoryItem[]
}

/** Creates a full-text index that lives as long as the page or process. It finds words, prefixes and near misses. */
export function searchMemory(options: SearchMemoryOptions = {}): SearchMemory {
  checkOptions('searchMemory()', options, ['items', 'maxItems'])
  const { items: given = [], maxItems = 1_000 } = options
  assertOption(maxItems >= 1, DEV && `searchMemory({ maxItems: ${maxItems} }): use 1 or more.`)
  const index = createIndex()
  const held = new Map<string, Indexed>()

  const remove = (item: Indexed): void => {
    held.delete(item.key)
    index.remove(item)
  }
  const add = (items: readonly MemoryItem[]): void => {
    for (const item of items) {
      const indexed: Indexed = { ...item, key: `${item.namespace}\n${item.id}` }
      const before = held.get(indexed.key)
      if (before) remove(before)
      held.set(indexed.key, indexed)
      index.add(indexed)
      const [oldest] = held.values()
      if (held.size > maxItems && oldest) remove(oldest)
    }
  }
  add(given)

  return {
    add,
    search(query, { namespace, limit }) {
      const found = index.search(query, { filter: ({ id }) => held.get(id)?.namespace === namespace })
      const [best] = found
      const close = found.filter(({ score }) => score >= (best?.score ?? 0) / 4)
      return close.slice(0, limit).flatMap(({ id }) => toItem(held.get(id)))
    },
    get items() {
      return [...held.values()].flatMap(toItem)
    },
  }
}

interface Indexed extends MemoryItem {
  readonly key: string
}

const toItem = (indexed: Indexed | undefined): readonly MemoryItem[] => {
  if (!indexed) return []
  const { key: _, ...item } = indexed
  return [item]
}

function createIndex(): MiniSearch<Indexed> {
  // Also separates words that have no spaces between them.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
  return new MiniSearch<Indexed>({
    idField: 'key',
    fields: ['text'],
    tokenize: (text) => [...segmenter.segment(text)].flatMap((part) => (part.isWordLike ? part.segment : [])),
    // Capitals of a letter may be several, and small letters another: ß is ss, and ı is i.
    processTerm: (term) => {
      const plain = term.normalize('NFKD').toUpperCase().toLowerCase().replaceAll(/\p{M}/gu, '')
      return /^[a-z]$/.test(plain) ? null : plain
    },
    searchOptions: { prefix: ({ length }) => length > 3, fuzzy: ({ length }) => (length > 4 ? 0.2 : false) },
  })
}
