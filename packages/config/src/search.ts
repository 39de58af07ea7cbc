import { type ToolOptions, tool } from '@interleave/core'
import { z } from 'zod'

/** A tool whose observations are long, for agents that are declared and in code. */
export const search: ToolOptions<Record<string, never>, string> = tool({
  inputSchema: z.object({}),
  effect: 'pure',
  execute: () => 'Found nothing. '.repeat(50),
})

/** A turn that calls it. */
export const searching: { readonly calls: readonly { readonly name: string; readonly input: object }[] } = {
  calls: [{ name: 'search', input: {} }],
}
