import { chance } from './chance.ts'
import type { City } from './cities.ts'

export interface Hotel {
  readonly id: string
  readonly name: string
  readonly city: string
  readonly stars: number
  /** The rating by guests, out of ten. */
  readonly rating: number
  /** For one room and night. */
  readonly price: number
  readonly currency: 'EUR'
}

const kinds = [
  { word: 'STATION', name: 'Station Rooms', stars: 2, price: 62 },
  { word: 'GARDEN', name: 'The Garden House', stars: 3, price: 98 },
  { word: 'RIVER', name: 'Riverside Hotel', stars: 4, price: 149 },
  { word: 'GRAND', name: 'Grand Hotel', stars: 5, price: 260 },
] as const

/** The hotels of a city, cheapest first. Made up, and the same every time. */
export function hotelsIn(city: City): readonly Hotel[] {
  return kinds.map(({ word, name, stars, price }) => {
    const random = chance(`${city.code} ${word}`)
    return {
      id: `HOTEL-${city.code}-${word}`,
      name: `${name} ${city.name}`,
      city: city.name,
      stars,
      rating: Math.round((6.8 + stars * 0.35 + random()) * 10) / 10,
      price: Math.round(price * (0.8 + random() * 0.4)),
      currency: 'EUR',
    }
  })
}
