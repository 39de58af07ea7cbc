import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Library } from '../docs/library.ts'
import { sectionLink } from '../docs/sectionLink.ts'

const quoteLength = 280

/** A tool that searches a library, which may be loaded when it is first needed. */
export const searchDocs = (library: () => Promise<Library>) =>
  tool({
    description: 'Searches the documentation of Interleave and returns quotes of the sections that fit best.',
    effect: 'readOnly',
    inputSchema: z.object({ query: z.string().max(200).describe('What to look for, in a few words') }),
    execute: async ({ query }) => {
      const sections = (await library()).search(query, 4)
      return sections.map(({ id, title, body }) => ({
        title,
        section: id,
        quote: quoteOf(body),
        link: sectionLink(id),
      }))
    },
  })

/** Returns the start of a section, up to the end of a sentence if there is one. */
function quoteOf(body: string): string {
  const words = body
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/^\|.*$/gm, (row) => row.replace(/\||-{3,}/g, ' '))
    .replace(/\s+/g, ' ')
  const prose = words.trim() || body
  if (prose.length <= quoteLength) return prose
  const cut = prose.slice(0, quoteLength)
  const end = cut.lastIndexOf('. ')
  return end > 80 ? cut.slice(0, end + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`
}
