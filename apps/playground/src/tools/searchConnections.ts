import { tool } from '@interleave/core'
import { z } from 'zod'
import { cityNamed } from '../data/cities.ts'
import { connectionsBetween } from '../data/connections.ts'

export const searchConnections = tool({
  description: 'Searches trains and flights (connections) from one city to another, cheapest first.',
  effect: 'pure',
  inputSchema: z.object({
    from: z.string().describe('City to leave from'),
    to: z.string().describe('City to travel to'),
    means: z.enum(['train', 'flight']).optional().describe('Only trains or only flights'),
    maxPrice: z.number().positive().optional().describe('Highest price in euros'),
  }),
  execute: ({ from, to, means, maxPrice = Number.POSITIVE_INFINITY }) =>
    connectionsBetween(cityNamed(from), cityNamed(to)).filter(
      (connection) => (!means || connection.means === means) && connection.price <= maxPrice,
    ),
})
