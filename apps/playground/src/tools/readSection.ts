import { tool } from '@interleave/core'
import { z } from 'zod'
import type { Library } from '../docs/library.ts'
import { sectionLink } from '../docs/sectionLink.ts'

/** A tool that reads one section of a library in full. */
export const readSection = (library: () => Promise<Library>) =>
  tool({
    description: 'Reads one section of the documentation in full, by the section id that a search returned.',
    effect: 'readOnly',
    inputSchema: z.object({ section: z.string().describe('The section id, such as README.md#install') }),
    execute: async ({ section }) => {
      const found = (await library()).read(section)
      if (!found)
        throw new Error(`There is no section "${section}". Search first and take a section from what was found.`)
      return { ...found, link: sectionLink(found.id) }
    },
  })
