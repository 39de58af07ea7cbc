import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, agent, type PriceTable } from '@interleave/core'
import { readSection } from '../tools/readSection.ts'
import { searchDocs } from '../tools/searchDocs.ts'

/** Answers questions about Interleave from its own documentation, with quotes and links. */
export const docsReader = (model: LanguageModelV4, prices: PriceTable = {}): Agent<string> =>
  agent({
    name: 'docs reader',
    model,
    prices,
    instructions:
      'You answer questions about Interleave, and only from its documentation. Search first, read a section where a quote ' +
      'is not enough. Quote what you rely on and link its section, as in [title](link). Say so when nothing fits.',
    tools: { searchDocs: searchDocs(library), readSection: readSection(library) },
  })

// The documentation and its index are fetched with the first search, not with the page.
const library = async () => (await import('../docs/ownLibrary.ts')).ownLibrary()
