import { tool } from '@interleave/core'
import { z } from 'zod'

export const calculate = tool({
  description: 'Calculates an arithmetic expression, such as 12 * (3 + 4), sqrt(2) or 15% of 80.',
  effect: 'readOnly',
  inputSchema: z.object({ expression: z.string().max(500).describe('The arithmetic expression') }),
  execute: async ({ expression }) => {
    // The library is large and most visits need none of it.
    const { evaluateSafely } = await import('../maths/evaluateSafely.ts')
    return { expression, result: evaluateSafely(expression) }
  },
})
