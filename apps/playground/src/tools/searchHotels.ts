import { tool } from '@interleave/core'
import { z } from 'zod'
import { hotelsIn } from '../data/hotels.ts'
import { knownCities } from './knownCities.ts'

export const searchHotels = tool({
  description: 'Searches hotels in a city, cheapest first.',
  effect: 'readOnly',
  inputSchema: z.object({
    city: z.string().describe('City of the hotel'),
    minStars: z.int().min(1).max(5).optional().describe('Fewest stars'),
    maxPrice: z.number().positive().optional().describe('Highest price per night in euros'),
  }),
  async execute({ city, minStars = 1, maxPrice = Number.POSITIVE_INFINITY }, { ask }) {
    const known = await knownCities({ city }, ask)
    return hotelsIn(known.city).filter(({ stars, price }) => stars >= minStars && price <= maxPrice)
  },
})
