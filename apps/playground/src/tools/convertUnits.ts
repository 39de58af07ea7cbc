import { tool } from '@interleave/core'
import { z } from 'zod'

export const convertUnits = tool({
  description: 'Converts a quantity from one unit to another: length, weight, temperature, volume, speed, time, data.',
  effect: 'readOnly',
  inputSchema: z.object({
    value: z.number().describe('How much'),
    from: z.string().describe('Unit to convert from, such as miles or celsius'),
    to: z.string().describe('Unit to convert to, such as km or fahrenheit'),
  }),
  execute: async ({ value, from, to }) => {
    const { convertSafely } = await import('../maths/convertSafely.ts')
    return { value, from, to, result: convertSafely(value, { from, to }) }
  },
})
