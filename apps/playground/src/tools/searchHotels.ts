import { tool } from '@interleave/core'
import { z } from 'zod'
import { cityNamed } from '../data/cities.ts'
import { hotelsIn } from '../data/hotels.ts'

export const searchHotels = tool({
  description: 'Searches hotels in a city, cheapest first.',
  effect: 'pure',
  inputSchema: z.object({
    city: z.string().describe('City of the hotel'),
    minStars: z.int().min(1).max(5).optional().describe('Fewest stars'),
    maxPrice: z.number().positive().optional().describe('Highest price per night in euros'),
  }),
  execute: ({ city, minStars = 1, maxPrice = Number.POSITIVE_INFINITY }) =>
    hotelsIn(cityNamed(city)).filter(({ stars, price }) => stars >= minStars && price <= maxPrice),
})
