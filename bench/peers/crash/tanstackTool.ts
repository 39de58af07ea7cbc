import { toolDefinition } from '@tanstack/ai'
import * as z from 'zod'

/** The tool, as the route and the page have it. The page executes it. */
export const payTool = toolDefinition({
  name: 'pay',
  description: 'Pays an amount.',
  inputSchema: z.object({ amount: z.number() }),
  outputSchema: z.number(),
})
