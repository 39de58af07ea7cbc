import { clientTool } from '@interleave/connect/worker'
import { tool } from '@interleave/core'
import { z } from 'zod'

const query = z.string().max(200).describe('What it is about, in a few words')
const shown = z.object({ title: z.string(), link: z.string() })
const declared = {
  description:
    'Shows the user the page (section) of the documentation that fits a query best: opens it over the conversation.',
  effect: 'idempotent',
  inputSchema: z.object({ query }),
  outputSchema: shown,
} as const

const byPage = clientTool(declared)
/** Creates the tool with the function that opens a section. */
export type PageTools = { readonly showSection: typeof byPage }

/** A tool that only a page can run: it has the document that the user reads. */
export interface PageFunctions {
  showSection(input: { readonly query: string }): Promise<z.infer<typeof shown>>
}

/** A tool that opens a section for the user. On another host than the page, it asks a page that shows the run. */
export const showSection = (page?: PageFunctions) =>
  page ? tool({ ...declared, execute: (input) => page.showSection(input) }) : byPage
