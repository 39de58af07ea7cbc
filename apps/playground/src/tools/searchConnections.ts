import { tool } from '@interleave/core'
import { z } from 'zod'
import { connectionsBetween } from '../data/connections.ts'
import { knownCities } from './knownCities.ts'

export const searchConnections = tool({
  description: 'Searches trains and flights (connections) from one city to another, cheapest first.',
  effect: 'readOnly',
  inputSchema: z.object({
    from: z.string().describe('City to leave from'),
    to: z.string().describe('City to travel to'),
    means: z.enum(['train', 'flight']).optional().describe('Only trains or only flights'),
    maxPrice: z.number().positive().optional().describe('Highest price in euros'),
  }),
  async execute({ from, to, means, maxPrice = Number.POSITIVE_INFINITY }, { ask }) {
    const known = await knownCities({ from, to }, ask)
    return connectionsBetween(known.from, known.to).filter(
      (connection) => (!means || connection.means === means) && connection.price <= maxPrice,
    )
  },
})
