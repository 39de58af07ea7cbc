import { tool } from '@interleave/core'
import { z } from 'zod'

export const look = tool({
  description: 'Looks something up.',
  inputSchema: z.object({ what: z.string() }),
  effect: 'readOnly',
  execute: ({ what }) => `All about ${what}.`,
})

export const calling = (name: string, input: unknown, text?: string) => ({
  ...(text !== undefined && { text }),
  calls: [{ name, input }],
})
export const looking = (what: string, text?: string) => calling('look', { what }, text)
