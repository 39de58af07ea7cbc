import MiniSearch from 'minisearch'
import type { Section } from './sections.ts'

/** Sections that can be found and read. */
export interface Library {
  search(query: string, limit: number): readonly Section[]
  read(id: string): Section | undefined
}

export function createLibrary(sections: readonly Section[]): Library {
  const byId = new Map(sections.map((section) => [section.id, section]))
  const index = new MiniSearch<Section>({
    fields: ['title', 'body'],
    searchOptions: { boost: { title: 2 }, prefix: true, fuzzy: 0.15, processTerm, boostDocument },
    processTerm,
  })
  index.addAll([...byId.values()])
  return {
    search: (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .flatMap(({ id }) => byId.get(id) ?? []),
    read: (id) => byId.get(id),
  }
}

/** A page explains more than a docstring does. */
const boostDocument = (id: string): number => (id.includes('.md#') ? 1.5 : 1)

const silent = new Set(
  'a an and are as at be by can do does for from how i in is it of on or that the this to what when where which who why with'.split(
    ' ',
  ),
)

/** Words that are in every question would outweigh those that matter. */
const processTerm = (term: string): string | null => {
  const word = term.toLowerCase()
  return silent.has(word) ? null : word
}
